import { describe, expect, test } from 'vitest';
import { coverageCommand } from '../../cli/read-pacts.ts';
import { behaviours } from '../../contracts/documents/behaviours.ts';
import { eventsOf, operationsOf } from '../../contracts/openapi/operations.ts';
import { coverPacts, heldPercent } from '../../contracts/tools/verification/coverage.ts';
import { parsePact } from '../../contracts/tools/verification/pact-file.ts';
import { coverageMarkdown, coverageText } from '../../contracts/tools/verification/reports/coverage.ts';
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
  expect(sales?.body.filter(({ by }) => by.length === 0).map(({ name }) => name)).toContain('customer_phone');
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
  });

  test('are not held by a pending interaction, or by one that does not show them', () => {
    expect(of('pos/sale-total')?.by).toEqual([]);
    expect(of('pos/inventory-current')?.by).toEqual([]);
    expect(covered.unknown).toEqual([
      { by: 'till: elsewhere', what: 'behaviour pos/inventory-current of POST /api/v1/sales', nearest: 'GET /api/v1/inventory' },
      { by: 'till: elsewhere', what: 'behaviour pos/create-sail', nearest: 'pos/create-sale' },
      { by: 'till: elsewhere', what: 'behaviour cohesion/me', nearest: expect.stringMatching(/^pos\//) },
    ]);
  });

  test('are counted in whole percent, rounded down', () => {
    expect(heldPercent(covered)).toBe(Math.floor((4 / behaviours.pos.length) * 100));
    expect(heldPercent({ behaviours: covered.behaviours.filter(({ by }) => by.length > 0) })).toBe(100);
  });

  test('are in the text and in Markdown, each with what holds it', () => {
    const text = coverageText(covered, { width: 100 });
    expect(text).toContain('4 of 48 documented behaviours held (8 %): 3 by a pact, 1 only by a test, 44 by nothing.');
    expect(text).toMatch(/^✓ pos\/limit-pro +test\/a\.test\.ts: a limit$/m);
    expect(text).toMatch(/^· pos\/json +nothing$/m);
    expect(coverageMarkdown(covered)).toMatch(
      /^\| ✓ \| <code>pos&#47;create-sale<\/code> \| POST .* Sale \| till&#58; sells \|$/m,
    );
  });
});

describe('passerelle coverage --at-least', () => {
  const own = ['cohesion'];

  test('exits with 1 below the limit, and names what nothing holds', async () => {
    const file = await pactFile(
      v4([{ description: 'a token', request: { method: 'POST', path: '/api/auth' }, response: { status: 400 } }]),
    );
    const run = await runCommand(coverageCommand(), ['--pact', file, '--at-least', '1']);
    expect(run.code).toBe(1);
    expect(run.stderr).toMatch(
      /^passerelle: pos: 0 of 48 documented behaviours held \(0 %\).*--at-least asks for 1 %\. Held by nothing: pos\/https-only, /,
    );
    expect((await runCommand(coverageCommand(), ['--pact', file, '--at-least', '0'])).code).toBe(0);
    expect((await runCommand(coverageCommand(), ['--pact', file])).code).toBe(0);
  });

  test('our own pacts and tests hold every documented behaviour', async () => {
    expect(await runCommand(coverageCommand(), ['--at-least', '100', '--json'])).toMatchObject({ code: 0 });
  });

  test.each(['101', '-1', '9.5', '80%', '1e2', ' ', 'all'])('%j exits with 2 and says what is accepted', async (value) => {
    const { code, stdout, stderr } = await runCommand(coverageCommand(), [...own, '--at-least', value]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('It must be a whole number from 0 to 100, without a percent sign.');
  });

  test('the guide shows what it prints', async () => {
    const [pact] = blocksUnder('docs/ci.md', 'Verify a pact').filter(({ language }) => language === 'json');
    const [command, printed] = blocksUnder('docs/ci.md', 'Coverage of the documents');
    const [, options = ''] = /coverage (.*) \|\| echo/.exec(command?.code ?? '') ?? [];
    const file = await fileWith(pact?.code ?? '', 'till-pos.json');
    const { code, stdout } = await runCommand(coverageCommand(), options.replace('./pacts/till-pos.json', file).split(' '));
    const pieces = (printed?.code ?? '').trim().split(/\s*\[\.\.\.\]\s*/);
    const pattern = pieces.map((piece) => RegExp.escape(piece)).join('[\\s\\S]*');
    expect(`${stdout}exit code ${code}\n`).toMatch(new RegExp(pattern));
  });

  test('a misspelt name exits with 2 and names the right one', async () => {
    const { code, stderr } = await runCommand(coverageCommand(), [...own, '--atleast', '80']);
    expect(code).toBe(2);
    expect(stderr).toContain('--at-least');
  });
});
