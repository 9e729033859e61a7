import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stressCommand } from '../../cli/stress.ts';
import type { StressReport } from '../../stress/types.ts';
import { fileWith, newFolder, nodeTest, passerelle, runCommand } from '../program.ts';

const node = process.execPath;
const example = (name: string) => join(import.meta.dirname, '../../examples/stress', name);

/** Plays failures at the calls of a program. Each finding with its failures, and each verdict but `survived`. */
async function stressed(options: readonly string[], ...command: string[]) {
  const json = join(await newFolder(), 'report.json');
  const { code, stdout } = await passerelle(['stress', ...options, '--output', json, '--', node, ...command]);
  const report = JSON.parse(await readFile(json, 'utf8')) as StressReport;
  const found = report.findings.map(({ id, failures }) => [id, ...failures].join(' '));
  const verdicts = report.judgements.map(({ where, failure, verdict }) => `${where} ${failure}: ${verdict}`);
  return { code, stdout, report, found, verdicts };
}

test.each([
  ['the careful till', 'careful', []],
  [
    'the till that repeats without a key',
    'no-key',
    ['pos.createSale.twice lost-after truncated hanging', 'pos.payByMobileMoney.unkeyed error lost-before'],
  ],
  [
    'the till that does not wait',
    'no-wait',
    ['issueToken', 'createSale', 'payByMobileMoney', 'readInventory'].map(
      (operation) => `pos.${operation}.too-soon rate-limited unavailable`,
    ),
  ],
  [
    'the till that keeps failures for itself, and whose tests do not look',
    'no-look',
    ['pos.createSale.lost refused down', 'pos.payByMobileMoney.lost refused down'],
  ],
])('%s has its planted weakness, and no other', async (_, name, expected) => {
  const { code, found } = await stressed(['pos'], ...nodeTest, example(`${name}.test.ts`));
  expect({ code, found }).toEqual({ code: expected.length > 0 ? 1 : 0, found: expected });
});

test('a careful till survives what passes, and tells what does not', async () => {
  const { verdicts, stdout } = await stressed(['pos', '--only', 'createSale'], ...nodeTest, example('careful.test.ts'));
  const told = verdicts.filter((one) => !one.endsWith(': survived'));
  expect(told).toEqual(['POST /sales refused: told its caller', 'POST /sales down: told its caller']);
  expect(verdicts).toHaveLength(10);
  expect(stdout).toContain('~ POST /sales  told its caller: refused, down; survived 8 of 10');
});

test('of several requests that tests tell of, halves find the one that is lost unnoticed', async () => {
  const file = await fileWith(
    `import { test } from 'node:test';
import { Till } from '${example('till.ts')}';
const sale = (quantity) => ({ store_id: 'STORE-ABJ-01', items: [{ product_id: 'PRD-0001', quantity, price: 4500 }], payment_method: 'cash', total: 4500 * quantity });
for (const quantity of [1, 2, 3, 4]) test('sells ' + quantity, async () => { await new Till({ tells: quantity !== 3 }).sell(sale(quantity)); });`,
    'suite.test.mjs',
  );
  const { found, report } = await stressed(['pos', '--only', 'createSale,refused'], '--test', file);
  expect(found).toEqual(['pos.createSale.lost refused']);
  expect(report.findings[0]?.request).toContain('"quantity":3');
});

/** A program that makes one call until it succeeds. */
const insisting = (url: string, path: string, token: string, body: object) =>
  fileWith(
    `const headers = { 'content-type': 'application/json', authorization: 'Bearer ' + ${token} };
for (let status = 0; status !== 201; )
  status = await fetch(process.env.${url} + '${path}', { method: 'POST', headers, body: '${JSON.stringify(body)}' }).then((reply) => reply.json().then(() => reply.status), () => 0);`,
    'program.mjs',
  );

test('a program that repeats whatever happens is told of refusals and storms', async () => {
  const { env } = process;
  const token = `(await (await fetch(process.env.PASSERELLE_POS_URL + '/api/auth', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ api_key: process.env.PASSERELLE_POS_API_KEY, api_secret: process.env.PASSERELLE_POS_API_SECRET }) })).json()).token`;
  const sale = {
    store_id: 'STORE-ABJ-01',
    items: [{ product_id: 'PRD-0001', quantity: 1, price: 4500 }],
    payment_method: 'cash',
    total: 4500,
  };
  const file = await insisting('PASSERELLE_POS_URL', '/api/v1/sales', token, sale);
  const { found, stdout } = await stressed(['pos', '--only', 'createSale,refused,token-expired,down,lost-after'], file);
  expect(found).toEqual([
    'pos.createSale.twice lost-after',
    'pos.createSale.refused-again token-expired refused',
    'pos.createSale.storm down',
  ]);
  expect(stdout).toMatch(/with\s+the\s+same\s+token/);
  expect(env.PASSERELLE_POS_API_SECRET ?? 'sk_demo').not.toBe('');
  expect(stdout).not.toMatch(/sk_demo/);
});

test('an API without keys has another advice', async () => {
  const financing = {
    structure_id: 1,
    exercice: 2026,
    bailleur: 'Fonds',
    type: 'bailleur',
    intitule: 'Puits',
    montant: 5,
    statut: 'promis',
  };
  const file = await insisting(
    'PASSERELLE_COHESION_URL',
    '/api/v1/financements',
    'process.env.PASSERELLE_COHESION_TOKEN',
    financing,
  );
  const { found, report } = await stressed(['cohesion', '--only', 'lost-after'], file);
  expect(found).toEqual(['cohesion.createFinancing.twice lost-after']);
  expect(report.findings[0]).toMatchObject({
    advice: expect.stringContaining('Do not repeat a POST whose outcome you do not know'),
    document: expect.stringContaining('gap cohesion.repeated-post'),
  });
});

test('webhooks are lost, late and sent twice: a program that waits notices the lost one', async () => {
  const file = await fileWith(
    `import { createServer } from 'node:http';
import { Till } from '${example('till.ts')}';
const { promise, resolve } = Promise.withResolvers();
const server = createServer((_, reply) => { reply.writeHead(204).end(); resolve(); }).listen(0);
await new Promise((ready) => server.once('listening', ready));
const body = JSON.stringify({ url: 'http://127.0.0.1:' + server.address().port });
await fetch(process.env.PASSERELLE_URL + '/_stub/endpoints', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
await new Till().sell({ store_id: 'STORE-ABJ-01', items: [{ product_id: 'PRD-0001', quantity: 1, price: 4500 }], payment_method: 'cash', total: 4500 });
const isLost = async () => (await (await fetch(process.env.PASSERELLE_URL + '/_stub/deliveries')).json()).data.some(({ status }) => status === 'skipped');
while (await Promise.race([promise.then(() => false), new Promise((again) => setTimeout(again, 20, true))])) if (await isLost()) process.exit(3);
server.close();
server.closeAllConnections();`,
    'receiver.mjs',
  );
  const { code, verdicts, report } = await stressed(['pos', '--only', 'lost,late,twice'], file);
  expect({ code, verdicts }).toEqual({
    code: 0,
    verdicts: ['webhook sale.completed lost: told its caller', 'webhooks late: survived', 'webhooks twice: survived'],
  });
  expect(report.judgements[0]?.tests).toBe('fail: exit code 3');
});

test('a finding is accepted until a day', async () => {
  const entry = (finding: string, expiry: string) => ({ finding, reason: 'waits', expiry });
  const under = async (...findings: object[]) => {
    const file = await fileWith(JSON.stringify({ findings }), 'accepted.json');
    return stressed(['pos', '--only', 'createSale,refused', '--assumptions', file], ...nodeTest, example('no-look.test.ts'));
  };
  const accepted = await under(entry('pos.createSale.lost', '2999-01-01'));
  expect(accepted).toMatchObject({ code: 0, stdout: expect.stringContaining('accepted until 2999-01-01: waits') });
  const expired = await under(entry('pos.createSale.lost', '2020-01-01'));
  expect(expired).toMatchObject({ code: 1, stdout: expect.stringContaining('its acceptance expired on 2020-01-01') });
});

test('the reports of every form name the finding', async () => {
  const folder = await newFolder();
  const files = ['xml', 'html', 'md'].map((end) => join(folder, `stress.${end}`));
  const outputs = files.flatMap((file) => ['--output', file]);
  await stressed(['pos', '--only', 'payByMobileMoney,refused', ...outputs], ...nodeTest, example('no-look.test.ts'));
  const [xml, html, md] = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  expect(xml).toMatch(/<testcase [^>]*name="POST \/payment\/mobile: refused"[^>]*>\s*<failure [^>]*type="lost"/);
  for (const text of [html, md]) expect(text).toMatch(/lost, and no test fails/);
});

test('a misspelt finding is refused with the nearest', async () => {
  const file = await fileWith(
    JSON.stringify({ findings: [{ finding: 'pos.createSale.twise', reason: 'waits', expiry: '2999-01-01' }] }),
    'accepted.json',
  );
  const { code, stderr } = await runCommand(stressCommand(), ['pos', '--assumptions', file, '--', node]);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('Did you mean "pos.createSale.twice"?') });
});

test.each([
  [
    ['pos', '--only', 'createSal', '--', node],
    /"createSal" is no failure, operation or event of pos\. Did you mean createSale\?/,
  ],
  [['pos', '--only', 'rate-limit', '--', node], /Did you mean rate-limited\?/],
  [['pos', '--only', ',', '--', node], /--only: name a failure, an operation or an event/],
  [['pos', '--onyl', 'x', '--', node], /unknown option '--onyl'\n\(Did you mean --only\?\)/],
  [['pos', '--at-most', '0', '--', node], /It must be a whole number above 0/],
  [['pos', '--'], /Write the command that runs your tests after --: passerelle stress pos -- npm test/],
  [['pos', '--', node, '--version'], /did not call the stub of pos/],
  [
    ['pos', '--', node, '-e', 'process.exit(4)'],
    /The first run of .* against a plain stub failed \(exit code 4\)\. It must pass each time\./,
  ],
])('stress %j ends with 2', async (args, message) => {
  const { code, stderr } = await runCommand(stressCommand(), args);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) });
});
