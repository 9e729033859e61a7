import { expect, test } from 'vitest';
import { eventsOf, operationsOf } from '../../contracts/openapi/operations.ts';
import { coverPacts } from '../../contracts/tools/verification/coverage.ts';
import { parsePact } from '../../contracts/tools/verification/pact-file.ts';
import { coverageMarkdown, coverageText } from '../../contracts/tools/verification/reports/coverage.ts';
import { http, message, sale, version3, version4 } from './pacts.ts';

const pact = version4(
  http({ description: 'sells', method: 'POST', path: '/api/v1/sales', body: sale, status: 201 }),
  http({ description: 'is refused', method: 'POST', path: '/sales', body: { ...sale, discount: 1 }, status: 400 }),
  http({ description: 'reports', path: '/reports/sales', query: { store_id: ['S'], startdate: ['2026-01-01'] }, status: 418 }),
  http({ description: 'reads stock', path: '/api/v1/stock' }),
  message({ event: 'sale.completed' }, 'hears of a sale'),
  message({ event: 'sale.cancelled' }, 'hears of another'),
);
const coverage = coverPacts({ provider: 'pos', pacts: [pact, parsePact(version3, 'b.json')] });
const operation = (path: string) => coverage.operations.find((one) => one.path === path);
const used = (parts: { name: string; by: string[] }[] = []) => parts.filter(({ by }) => by.length > 0).map(({ name }) => name);

test('every operation and event of the provider is listed once', () => {
  expect(coverage.operations).toHaveLength(operationsOf('pos').length);
  expect(coverage.events.map(({ name }) => name)).toEqual(Object.keys(eventsOf('pos')));
});

test('lists the used statuses, parameters and fields with their interactions', () => {
  const sales = operation('/api/v1/sales');
  expect(sales?.by).toEqual(['till: sells', 'till: is refused']);
  expect(used(sales?.statuses)).toEqual(['201', '400']);
  expect(sales?.statuses.find(({ name }) => name === '400')?.by).toEqual(['till: is refused']);
  expect(used(sales?.body)).toEqual([
    'store_id',
    'items',
    'items[].product_id',
    'items[].quantity',
    'items[].price',
    'payment_method',
    'total',
  ]);
  expect(sales?.body.filter(({ by }) => by.length === 0).map(({ name }) => name)).toEqual(['customer_phone']);
  expect(used(operation('/api/v1/reports/sales')?.query)).toEqual(['store_id']);
  expect(operation('/api/v1/inventory')?.by).toEqual([]);
  expect(used(coverage.events)).toEqual(['sale.completed', 'inventory.low']);
});

test('templates of paths match', () => {
  const put = version4(http({ method: 'PUT', path: '/financements/12', body: { statut: 'obtenu' } }));
  const { operations, unknown } = coverPacts({ provider: 'cohesion', pacts: [put] });
  expect(operations.find(({ method }) => method === 'PUT')?.by).toHaveLength(1);
  expect(unknown).toEqual([]);
});

test('unknown items are listed with the most similar name', () => {
  expect(coverage.unknown).toEqual([
    { by: 'till: is refused', what: 'POST /api/v1/sales: body field discount' },
    { by: 'till: reports', what: 'GET /api/v1/reports/sales: status 418' },
    { by: 'till: reports', what: 'GET /api/v1/reports/sales: query parameter startdate' },
    { by: 'till: reads stock', what: 'GET /api/v1/stock', nearest: expect.stringMatching(/^(GET|POST) \/api/) },
    { by: 'till: hears of another', what: 'event sale.cancelled', nearest: Object.keys(eventsOf('pos')).join(', ') },
  ]);
});

test('as text', () => {
  const lines = coverageText(coverage, { width: 100 }).split('\n');
  expect(lines[0]).toMatch(/^pos: till use 2 of 5 operations, \d+ of \d+ statuses, parameters and fields, 2 of 4 types/);
  expect(lines).toContainEqual(expect.stringMatching(/^✓ POST \/api\/v1\/sales +2 {4}open: status 401, 404/));
  expect(lines).toContainEqual(expect.stringMatching(/^· GET \/api\/v1\/inventory +0 {4}open: all of it$/));
  expect(lines).toContain('Unknown to the provider:');
  expect(lines.filter((line) => line.length > 100)).toEqual([]);
});

test('as Markdown, with foreign text escaped', () => {
  const attack = version4(http({ description: '| <b>`x`', path: '/a|b<img>' }));
  const markdown = coverageMarkdown(coverPacts({ provider: 'pos', pacts: [attack] }));
  expect(markdown).toContain('| | operation or event | interactions | open |');
  expect(markdown).toContain('a&#124;b&#60;img&#62;');
  expect(markdown).not.toMatch(/<(b|img)>/);
});
