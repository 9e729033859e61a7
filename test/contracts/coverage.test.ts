import { describe, expect, test } from 'vitest';
import { coverageCommand } from '../../cli/coverage.ts';
import type { Coverage } from '../../contracts/tools/coverage/coverage.ts';
import { coverPacts } from '../../contracts/tools/coverage/pacts.ts';
import { coverageReport } from '../../contracts/tools/coverage/report.ts';
import { markdownReport } from '../../contracts/tools/reports/markdown.ts';
import { textReport } from '../../contracts/tools/reports/text.ts';
import { parsePact } from '../../contracts/tools/verification/pact-file.ts';
import { behaviours } from '../../spec/documents/behaviours.ts';
import { eventsOf, operationsOf } from '../../spec/openapi/operations.ts';
import { blocksUnder } from '../docs/guide.ts';
import { fileWith, runCommand } from '../program.ts';
import { pactFile, v4 } from './pact-files.ts';
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

test('lists every operation and event once, with the used statuses, parameters and fields and their interactions', () => {
  expect(coverage.operations).toHaveLength(operationsOf('pos').length);
  expect(coverage.events.map(({ name }) => name)).toEqual(Object.keys(eventsOf('pos')));
  const sales = operation('/api/v1/sales');
  expect(sales?.by).toEqual(['till: sells', 'till: is refused']);
  expect(used(sales?.statuses)).toEqual(['201', '400']);
  expect(sales?.statuses.find(({ name }) => name === '400')?.by).toEqual(['till: is refused']);
  const lines = ['items', 'items[].product_id', 'items[].quantity', 'items[].price'];
  expect(used(sales?.body)).toEqual(['store_id', ...lines, 'payment_method', 'total']);
  expect(sales?.body.filter(({ by }) => by.length === 0).map(({ name }) => name)).toContain('customer_phone');
  expect(used(operation('/api/v1/reports/sales')?.query)).toEqual(['store_id']);
  expect(operation('/api/v1/inventory')?.by).toEqual([]);
  expect(used(coverage.events)).toEqual(['sale.completed', 'inventory.low']);
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

const textOf = (of: Coverage) => textReport(coverageReport(of), { width: 100, colors: false });

test('as text', () => {
  const lines = textOf(coverage).split('\n');
  expect(lines[0]).toBe('Coverage of pos by till');
  expect(lines).toContain('  ✓ POST /api/v1/sales  2 interactions');
  expect(lines).toContainEqual(expect.stringMatching(/^ {6}open: status 401, 404/));
  expect(lines.slice(lines.indexOf('Operations that nothing uses'))).toContain('  GET /api/v1/inventory');
  expect(lines).toContain('Unknown to the provider');
  expect(lines.at(-2)).toMatch(/^pos: 2 of 5 operations \(40 %\), \d+ of \d+ statuses .*, 2 of 4 events \(50 %\)/);
});

test('as Markdown, with foreign text escaped', () => {
  const attack = version4(http({ description: '| <b>`x`', path: '/a|b<img>' }));
  const markdown = markdownReport(coverageReport(coverPacts({ provider: 'pos', pacts: [attack] })));
  expect(markdown).toContain('a&#124;b&#60;img&#62;');
  expect(markdown).not.toMatch(/<(b|img)>/);
});

describe('documented behaviours', () => {
  const holding = (...ids: string[]) => ({
    comments: { references: { behaviour: Object.fromEntries(ids.map((id) => [id, ''])) } },
  });
  const sells = http({ description: 'sells', method: 'POST', path: '/api/v1/sales', body: sale, status: 201 });
  const held = version4(
    { ...sells, ...holding('pos/create-sale', 'pos/status-400') },
    { ...sells, description: 'later', pending: true, ...holding('pos/sale-total') },
    { ...sells, description: 'elsewhere', ...holding('pos/inventory-current', 'pos/create-sail', 'cohesion/me') },
    { ...message({ event: 'sale.completed' }, 'hears'), ...holding('pos/sale-completed') },
  );
  const tests = [{ behaviour: 'pos/limit-pro', file: 'test/a.test.ts', test: 'a limit' }];
  const covered = coverPacts({ provider: 'pos', pacts: [held], tests });
  const of = (id: string) => covered.behaviours.find((one) => one.id === id);

  test('are held by the interactions that name them, by tests, or by nothing', () => {
    expect(covered.behaviours).toHaveLength(behaviours.pos.length);
    expect(of('pos/create-sale')).toMatchObject({ by: ['till: sells'], tests: [], section: '4. Endpoints' });
    expect(of('pos/sale-completed')?.by).toEqual(['till: hears']);
    expect(of('pos/limit-pro')).toMatchObject({ by: [], tests: ['test/a.test.ts: a limit'] });
    expect(of('pos/json')).toMatchObject({ by: [], tests: [] });
    // A pending interaction holds nothing, nor does one that does not show the behaviour.
    expect(of('pos/sale-total')?.by).toEqual([]);
    expect(of('pos/inventory-current')?.by).toEqual([]);
    expect(covered.unknown).toEqual([
      { by: 'till: elsewhere', what: 'behaviour pos/inventory-current of POST /api/v1/sales', nearest: 'GET /api/v1/inventory' },
      { by: 'till: elsewhere', what: 'behaviour pos/create-sail', nearest: 'pos/create-sale' },
      { by: 'till: elsewhere', what: 'behaviour cohesion/me', nearest: expect.stringMatching(/^pos\//) },
    ]);
  });

  test('are in the text and in Markdown, each with what holds it', () => {
    const text = textOf(covered);
    expect(text).toContain('Documented behaviours  3 by a pact, 1 only by a test');
    expect(text).toContain('4 of 48 documented behaviours (8 %)');
    expect(text).toMatch(/^ {2}✓ pos\/limit-pro {2}test\/a\.test\.ts: a limit$/m);
    expect(text).toMatch(/^Documented behaviours that nothing holds\n(.*\n)* {2}pos\/json: "All calls use JSON\."$/m);
    const markdown = markdownReport(coverageReport(covered));
    expect(markdown).toContain('### Operations\n\n| | | |  |\n');
    expect(markdown).toMatch(/^\| ✓ \| <code>pos&#47;create-sale<\/code> \| used · till&#58; sells \|/m);
  });
});

describe('passerelle coverage --at-least', () => {
  test('exits with 1 below the limit, and names what nothing holds', async () => {
    const refusal = { description: 'a token', request: { method: 'POST', path: '/api/auth' }, response: { status: 400 } };
    const file = await pactFile(v4([refusal]));
    const run = await runCommand(coverageCommand(), ['--pact', file, '--at-least', '1']);
    expect(run.code).toBe(1);
    expect(run.stderr).toMatch(
      /^passerelle: pos: 0 of 48 documented behaviours \(0 %\)\. --at-least asks for 1 %\. Missing: pos\/https-only, /,
    );
    expect((await runCommand(coverageCommand(), ['--pact', file, '--at-least', '0'])).code).toBe(0);
    expect((await runCommand(coverageCommand(), ['--pact', file])).code).toBe(0);
  });

  test('each figure has a limit of its own, and its parts are named', async () => {
    const limits = ['--at-least', 'operations=100,statuses=90', '--at-least', 'events=100'];
    const run = await runCommand(coverageCommand(), ['pos', ...limits]);
    expect(run.code).toBe(1);
    expect(run.stderr).toMatch(/pos: 23 of 44 statuses \(52 %\)\. --at-least asks for 90 %\. Missing: POST \/api\/auth 413, /);
    expect(run.stderr.match(/--at-least/g)).toHaveLength(1);
  });

  test.each([
    [['--at-least', 'operation=1'], '"operation" is not measured. Did you mean operations?'],
    [['--at-least', 'questions=1'], '--at-least questions=1 needs a command after --'],
    [['--fault', '*:reset'], '--fault has no effect without a command after --'],
    [['cohesion'], '"cohesion" is one word too many. A command follows after --'],
    [['--atleast', '80'], '--at-least'],
    ...['101', '-1', '9.5', '80%', '1e2', ' ', 'all'].map((value): [string[], string] => [
      ['--at-least', value],
      'It must be a whole number from 0 to 100, without a percent sign.',
    ]),
  ])('pos %j exits with 2', async (args, message) => {
    const { code, stdout, stderr } = await runCommand(coverageCommand(), ['pos', ...args]);
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
  });

  test('our own pacts and tests hold every documented behaviour', async () => {
    expect(await runCommand(coverageCommand(), ['--at-least', '100', '--json'])).toMatchObject({ code: 0 });
  });

  test('the guide shows what it prints', async () => {
    const [pact] = blocksUnder('docs/ci/verify.md').filter(({ language }) => language === 'json');
    const [command, printed] = blocksUnder('docs/ci/coverage.md');
    const [, options = ''] = /coverage (.*) \|\| echo/.exec(command?.code ?? '') ?? [];
    const file = await fileWith(pact?.code ?? '', 'till-pos.json');
    const { code, stdout } = await runCommand(coverageCommand(), options.replace('./pacts/till-pos.json', file).split(' '));
    const pieces = (printed?.code ?? '').trim().split(/\s*\[\.\.\.\]\s*/);
    const pattern = pieces.map((piece) => RegExp.escape(piece)).join('[\\s\\S]*');
    expect(`${stdout}exit code ${code}\n`).toMatch(new RegExp(pattern));
  });
});
