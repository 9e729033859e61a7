import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { MutateReport } from '../../mutate/types.ts';
import { fileWith, newFolder, nodeTest, passerelle } from '../program.ts';

const node = process.execPath;
const example = (name: string) => join(import.meta.dirname, '../../examples/mutate', `${name}.test.ts`);

async function mutate(options: readonly string[], ...command: string[]) {
  const folder = await newFolder();
  const [json, xml, md] = ['json', 'xml', 'md'].map((form) => join(folder, `report.${form}`)) as [string, string, string];
  const outputs = [json, xml, md].flatMap((file) => ['--output', file]);
  const { code, stdout, stderr } = await passerelle(['mutate', ...options, ...outputs, '--', node, ...command]);
  const report = JSON.parse(await readFile(json, 'utf8').catch(() => '{"judgements":[]}')) as MutateReport;
  const of = (verdict: string) => report.judgements.filter((one) => one.verdict === verdict).map(({ id }) => id);
  const shown = { xml: await readFile(xml, 'utf8').catch(() => ''), md: await readFile(md, 'utf8').catch(() => '') };
  return {
    code,
    stdout,
    stderr,
    report,
    unnoticed: of('unnoticed'),
    noticed: of('noticed'),
    idle: of('not exercised'),
    ...shown,
  };
}

test('a careful suite passes', async () => {
  const { code, unnoticed, noticed, idle, stdout } = await mutate(['pos'], ...nodeTest, example('careful'));
  expect({ code, unnoticed }).toEqual({ code: 0, unnoticed: [] });
  expect(noticed).toContain('pos/idempotency-key');
  expect(idle).toContain('pos/sale-completed');
  expect(stdout).toContain(`${noticed.length} of ${noticed.length + idle.length} behaviours: your tests fail without them;`);
});

test('a test that asserts nothing is named by what it should notice, in each form of the report', async () => {
  const options = ['--env', 'pos=SHOP_KEY={api_key} of pos'];
  const { code, unnoticed, report, stdout, xml, md } = await mutate(['pos', ...options], ...nodeTest, example('asserts-nothing'));
  expect({ code, unnoticed }).toEqual({ code: 1, unnoticed: ['pos/inventory-of-store', 'pos/inventory-current'] });
  const [, stock] = report.judgements;
  expect(stock?.where).toEqual(['GET /inventory']);
  expect(stock?.tried.map(({ id, isNoticed }) => [id, isNoticed])).toEqual([
    ['pos/inventory-current=not-current', false],
    ['pos/inventory-current=absent', false],
  ]);
  for (const text of [stdout, xml, md]) expect(text).toContain('Current inventory of the store.');
  expect(stdout).toContain(
    `npx --no -- passerelle run pos --assume pos/inventory-current=not-current --env 'pos=SHOP_KEY={api_key} of pos' -- ${node} --test `,
  );
  expect(xml).toContain('failures="2"');
});

/** A program that sells once and looks at what `look` says. */
const selling = (look: string) =>
  fileWith(
    `const { PASSERELLE_POS_URL: url, PASSERELLE_POS_API_KEY: api_key, PASSERELLE_POS_API_SECRET: api_secret } = process.env;
const send = (path, body, token) => fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json', ...(token && { authorization: 'Bearer ' + token }) }, body: JSON.stringify(body) });
const { token } = await (await send('/api/auth', { api_key, api_secret })).json();
const reply = await send('/api/v1/sales', { store_id: 'STORE-ABJ-01', items: [{ product_id: 'PRD-0001', quantity: 1, price: 4500 }], payment_method: 'cash', total: 4500 }, token);
${look}`,
    'program.mjs',
  );
const ofSales = ['pos', '--only', 'createSale'];

test('a program without tests is told of too, and what is accepted until a day leaves the exit code at 0', async () => {
  const file = await selling('if (reply.status !== 201) throw new Error(reply.status);');
  const { code, unnoticed, noticed } = await mutate(ofSales, file);
  expect(code).toBe(1);
  expect(noticed).toContain('pos/create-sale');
  expect(unnoticed).toEqual([
    'pos/sale-store',
    'pos/sale-total',
    'pos/item-product',
    'pos/item-quantity',
    'pos/item-price',
    'pos/sale-payment-method',
  ]);
  const accepts = (expiry: string) => {
    const entry = (behaviour: string) => ({ behaviour, reason: 'The till shows the receipt only.', expiry });
    return fileWith(JSON.stringify({ unnoticed: [entry('pos/sale-*'), entry('pos/item-*'), entry('pos/create-sale')] }));
  };
  const accepted = await mutate([...ofSales, '--assumptions', await accepts('2999-12-31')], file);
  expect(accepted.code).toBe(0);
  expect(accepted.report.noLongerNeeded.map(({ behaviour }) => behaviour)).toEqual(['pos/create-sale']);
  expect(accepted.stdout).toContain('accepted until 2999-12-31: The till shows the receipt only.');
  expect(accepted.stdout).toMatch(/\nAccepted\n {2}~ pos\/sale-store/);
  expect(accepted.stdout).not.toContain('They decide the exit code');
  expect((await mutate([...ofSales, '--assumptions', await accepts('2020-12-31')], file)).code).toBe(1);
});

test('what fails in plain runs too notices nothing', async () => {
  const counter = join(await newFolder(), 'runs');
  const file = await selling(`const { existsSync, readFileSync, writeFileSync } = await import('node:fs');
const runs = existsSync(${JSON.stringify(counter)}) ? Number(readFileSync(${JSON.stringify(counter)}, 'utf8')) : 0;
writeFileSync(${JSON.stringify(counter)}, String(runs + 1));
process.exit(runs < 2 ? 0 : 3);`);
  const { code, stdout, stderr, noticed, unnoticed } = await mutate(
    ['pos', '--jobs', '1', '--only', 'pos/create-sale,pos/sale-store'],
    file,
  );
  expect({ code, noticed, unnoticed }).toEqual({ code: 1, noticed: [], unnoticed: ['pos/create-sale', 'pos/sale-store'] });
  expect(stdout).toContain('uncertain, because plain runs fail too (exit code 3)');
  expect(stdout).toContain('2 exercised and unnoticed, 2 uncertain');
  expect(stderr).not.toContain('about 0 behaviours');
});

test('a suite that does not end without a behaviour notices it', async () => {
  const file = await fileWith(
    `const { PASSERELLE_COHESION_URL: url, PASSERELLE_COHESION_TOKEN: token } = process.env;
for (let page = 0, last = 1; page < last; )
  ({ page, last_page: last } = (await (await fetch(url + '/api/v1/indicateurs?per_page=50&page=' + (page + 1), { headers: { authorization: 'Bearer ' + token } })).json()).meta);`,
    'pages.mjs',
  );
  const { report, noticed } = await mutate(['cohesion', '--only', 'cohesion/paginated', '--timeout', '30'], file);
  expect(noticed).toEqual(['cohesion/paginated']);
  expect(report.judgements[0]?.tried[0]?.by).toEqual([expect.stringMatching(/^stopped after (\d{2,})\.\d s$/)]);
});

/** A receiver that waits for the webhook of a sale, and looks at its signature if it `verifies`. */
const receiving = (verifies: boolean) =>
  selling(`const { createHmac } = await import('node:crypto');
const { createServer } = await import('node:http');
let told, endpoint;
const server = createServer(async (request, answer) => {
  const body = Buffer.concat(await request.toArray());
  const { secret } = JSON.parse(endpoint).data;
  const signature = 'sha256=' + createHmac('sha256', secret).update(body).digest('hex');
  const isRight = ${verifies} ? request.headers['x-service-signature'] === signature : true;
  answer.writeHead(isRight ? 200 : 401).end();
  if (isRight) told = JSON.parse(body).event;
}).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
endpoint = await (await send('/_stub/endpoints', { url: 'http://127.0.0.1:' + server.address().port + '/hook', events: ['sale.completed'] })).text();
await send('/api/v1/sales', { store_id: 'STORE-ABJ-01', items: [{ product_id: 'PRD-0001', quantity: 1, price: 4500 }], payment_method: 'cash', total: 4500 }, token);
// Ends when every webhook that is due has been sent.
await send('/_stub/clock/advance', { by: '1s' });
process.exit(told === 'sale.completed' ? 0 : 1);`);

test('a receiver that does not look at signatures is named; a webhook that never comes is noticed', async () => {
  const only = ['pos', '--only', 'pos/webhook-signature,pos/sale-completed,pos/inventory-low'];
  const careless = await mutate(only, await receiving(false));
  const { unnoticed, noticed, idle } = careless;
  expect({ unnoticed, noticed, idle }).toEqual({
    unnoticed: ['pos/webhook-signature'],
    noticed: ['pos/sale-completed'],
    idle: ['pos/inventory-low'],
  });
  expect(careless.stdout).toContain('The signature of each webhook is empty: unnoticed too.');
  expect((await mutate(only, await receiving(true))).unnoticed).toEqual([]);
});

test('a receiver at which nothing answers is told of', async () => {
  const { code, stderr } = await mutate(['pos', '--webhook', 'http://localhost:1/hook'], await selling(''));
  expect([code, stderr]).toEqual([2, expect.stringContaining('--webhook: nothing answers at http://localhost:1/hook.')]);
});

test.each([
  [
    ['pos', '--only', 'pos/report-sta'],
    '--only: "pos/report-sta" is no behaviour, operation or event of pos. Did you mean pos/report-start?',
  ],
  [['pos', '--only', ''], 'The value after --only is empty'],
  [['poss'], '"poss" is not an API. Did you mean pos?'],
  [['pos', '--webhook', 'htp://localhost'], 'It must be an address such as http://localhost:3000/hook.'],
  [['pos', '--onyl', 'x'], "unknown option '--onyl'"],
])('%o is refused before anything runs', async (words, message) => {
  const { code, stderr, report } = await mutate(words, 'no-such-file');
  expect(code).toBe(2);
  expect(stderr).toContain(message);
  expect(report.runs).toBeUndefined();
});

test('tests that fail already, that call nothing, and that do not start are told apart', async () => {
  const red = await mutate(['pos'], await selling('throw new Error("broken");'));
  expect([red.code, red.stderr]).toEqual([
    2,
    expect.stringContaining('against a plain stub failed (exit code 1). It must pass each time.'),
  ]);
  const idle = await mutate(['pos'], '--eval', '1');
  expect([idle.code, idle.stderr]).toEqual([2, expect.stringContaining('PASSERELLE_POS_URL')]);
  const { code, stderr } = await passerelle(['mutate', 'pos', '--', 'no-such-program']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('no-such-program')]);
  expect((await passerelle(['mutate', 'pos'])).stderr).toContain('passerelle mutate pos -- npm test');
});

test('--list shows what is taken away, and runs nothing', async () => {
  const { code, stdout } = await passerelle(['mutate', 'pos', '--list', '--only', 'reportSales']);
  expect(code).toBe(0);
  expect(stdout).toContain('pos/report-start=ignored  GET /reports/sales: start_date is ignored.');
  expect(stdout).toMatch(/\nBehaviours of several operations or events are included: pos\/json, .*pos\/no-authorization.*\.\n$/);
  const alone = await passerelle(['mutate', 'pos', '--list', '--only', 'pos/json,pos/token']);
  expect(alone.stdout).not.toContain('Behaviours of several');
  expect(alone.stdout).toContain('token of POST /api/auth has another value.');
  const { behaviours } = JSON.parse((await passerelle(['mutate', 'pos', 'cohesion', '--list', '--json'])).stdout);
  expect(behaviours.length).toBeGreaterThan(100);
});

test('an entry that names no behaviour is refused with the nearest one', async () => {
  const folder = await newFolder();
  const file = join(folder, 'accepted.json');
  await writeFile(file, JSON.stringify({ unnoticed: [{ behaviour: 'pos/report-strat', reason: 'x', expiry: '2999-01-01' }] }));
  const { code, stderr } = await mutate(['pos', '--assumptions', file], '--eval', '1');
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('there is no behaviour "pos/report-strat". Did you mean "pos/report-start"?'),
  ]);
});
