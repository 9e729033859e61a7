import { execFile } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { newId } from '../../gateway/base/ids.ts';
import { Keyring } from '../../gateway/base/keyring.ts';
import { PglitePool } from '../../gateway/store/pglite/pool.ts';
import type { Store } from '../../gateway/store/port.ts';
import { openSqlStore } from '../../gateway/store/sql/store.ts';
import { type TableName, tables } from '../../gateway/store/tables/index.ts';
import { newDataDir } from '../e2e/process.ts';
import { buildTestApp, stillClock } from '../helper.ts';
import { newFolder } from '../program.ts';
import { until } from '../webhooks/harness.ts';
import { receiver } from '../webhooks/receiver.ts';
import { blocksUnder, readGuide } from './guide.ts';

/** The digits of the page's number that all its spellings have. */
const digits = '701020304';
const spellings = [
  ...['+2250701020304', '002250701020304', '2250701020304', '0701020304', '701020304', '07 01 02 03 04', '07.01.02.03.04'],
  ...['+225 (0)7 01 02 03 04', '225-07-01-02-03-04', '00225 07/01/02/03/04', '+225\u00a007\u202f01\u00a002\u00a003\u00a004'],
  ...['%2B2250701020304', '%2b225%2007%2001%2002%2003%2004', '%2B225+07+01+02+03+04', '?q=%20701020304&b=1'],
  ...[String.raw`\u002b2250701020304`, String.raw`\u002B225\u002007\u002001 02 03 04`, String.raw`{"a":"x\\n0701020304\\n"}`],
];
const others = ['+2260701020304', '122507010203049', '07010203040', '70102030', 'evt_07010203049', '7 01 02 abc 03 04'];

/** True if a text has the digits one after another, whatever stands between them. Knows nothing of how the page's SQL searches. */
function contains(text: string): boolean {
  const plain = text
    .replace(/\\+u([0-9a-f]{4})|%([0-9a-f]{2})/gi, (_all, long, short) => String.fromCharCode(Number.parseInt(long ?? short, 16)))
    .replace(/[^\da-z"{}[\],:]/gi, '');
  return new RegExp(String.raw`(?<!\d)(?:(?:00)?225)?0?${digits}(?!\d)`).test(plain);
}

/** Returns every row of every table that contains the number. */
async function rowsWithNumber(store: Store): Promise<{ table: string; row: string }[]> {
  const all = (Object.keys(tables) as TableName[]).map(async (table) =>
    (await store.list(table)).map((row) => ({ table, row: JSON.stringify(row) })),
  );
  return (await Promise.all(all)).flat().filter(({ row }) => contains(row));
}

const keys = new Keyring(Buffer.alloc(32, 7));

/** Opens a gateway with the database of this folder, lets it do something, and closes it. No retry becomes due. */
async function withGateway(dataDir: string, work: (gateway: Awaited<ReturnType<typeof buildTestApp>>) => Promise<void>) {
  const store = await openSqlStore(await PglitePool.open(join(dataDir, 'postgres')));
  const ends: (() => Promise<void>)[] = [() => store.close()];
  const settings = { WEBHOOK_LOOPBACK: 'on' };
  await work(await buildTestApp({ store, keys, clock: stillClock(), settings, atEnd: (close) => ends.unshift(close) }));
  for (const end of ends) await end();
}

/** What operators, partners and receivers say of the person. */
async function fill({ store, manage, call, posToken, settled }: Awaited<ReturnType<typeof buildTestApp>>): Promise<void> {
  const token = await posToken();
  const pos = (path: string, body: unknown, headers = {}) => call('POST', `/pos/api/v1${path}`, { token, body, headers });
  const [stock] = await store.list('stock', { where: { quantity: { gt: '5' } }, limit: 1 });
  const total = Number(stock?.price);
  const items = [{ product_id: stock?.product_id, quantity: 1, price: total }];
  const sell = (customer_phone: string, key: string) =>
    pos(
      '/sales',
      { store_id: stock?.store_id, items, payment_method: 'cash', customer_phone, total },
      { 'idempotency-key': key },
    );
  const endpoint = (url: string, more = {}) => manage('POST', '/endpoints', { service: 'pos', url, ...more });

  const echo = await receiver((response, { body }) => response.writeHead(200, { 'x-seen': '07-01-02-03-04' }).end(body));
  const away = await receiver((response) => response.writeHead(500).end('no customer 07 01 02 03 04'));
  const filter = { $or: [{ data: { customer_phone: '+2250701020304' } }, { data: { total: { $gte: 701020304 } } }] };
  const calls = [
    await endpoint(`${echo.url}?of=%2B2250701020304`, { description: 'of 0701020304' }),
    await endpoint(away.url),
    await endpoint('http://127.0.0.1:9/hook', { filter }),
    await sell('+225 07 01 02 03 04', '0701020304'),
    await sell('+2250799999999', 'till-1'),
    await manage('POST', '/operators', { name: 'Awa  Koné 0701020304', role: 'viewer' }),
  ];
  expect(calls.filter(({ status }) => status !== 201).map(({ text }) => text)).toEqual([]);
  expect((await pos('/sales', '{"customer_phone":"+225 07 01 02 03 04"')).status).toBe(400);
  await manage('GET', '/events?q=%2B225%2007%2001%2002%2003%2004');
  const noticed = { kind: 'endpoint.held', endpoint_id: 'ep_1', created_at: 0 } as const;
  const messages = [...spellings, ...others];
  await store.append(
    'notices',
    messages.map((message) => ({ ...noticed, id: newId('ntc'), message })),
  );
  await settled();
  await until(async () => expect(await store.count('attempts')).toBe(4));
}

const page = 'docs/operators/personal-data.md';

test('the SQL of the page takes a number and a name out of every table, and the gateway goes on', async () => {
  const blocks = blocksUnder(page, 'Erase a person');
  const codeIn = (language: string) => blocks.find((block) => block.language === language)?.code ?? '';
  const DATA_DIR = newDataDir();
  await withGateway(DATA_DIR, fill);

  const folder = await newFolder();
  await symlink(join(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'));
  const run = async (sql: string) => {
    await writeFile(join(folder, 'person.sql'), sql);
    const env = { ...process.env, DATA_DIR };
    return (await promisify(execFile)('bash', ['-ec', codeIn('sh')], { cwd: folder, env })).stdout;
  };

  const counted = await run(codeIn('sql').replace('commit;', 'rollback;'));
  expect(counted).toContain('?of=%2B2250701020304');
  for (const table of ['attempts', 'calls', 'endpoints', 'events', 'idempotency_keys', 'operators', 'sales'])
    expect(counted).toContain(`passerelle.${table}'`);
  expect(counted).toMatch(new RegExp(`passerelle.notices' *│ ${spellings.length} `));
  expect(await run(codeIn('sql'))).toBe(counted);
  const [, byName = ''] = /`(select 'Awa[^`]*)`/.exec(readGuide(page)) ?? [];
  const named = await run(codeIn('sql').replace(/(?<=person on commit drop as\n)[^;]*/, () => byName));
  expect(named).toContain("passerelle.operators'");
  await withGateway(DATA_DIR, async ({ store, manage }) => {
    expect(await rowsWithNumber(store)).toEqual([]);
    const messages = (await store.list('notices')).map(({ message }) => message);
    expect(messages.filter((message) => others.includes(message))).toHaveLength(others.length);
    expect((await store.list('operators')).map(({ name }) => name)).toContain('[erased] 0');
    expect(await store.count('sales', { customer_phone: '+2250799999999' })).toBe(1);
    expect((await store.list('endpoints')).map(({ filter }) => filter && JSON.parse(filter))).toContainEqual({
      $or: [{ data: { customer_phone: '0' } }, { data: { total: { $gte: 0 } } }],
    });
    for (const list of ['/endpoints', '/events', '/deliveries', '/calls', '/operators', '/audit'])
      expect((await manage('GET', list)).status, list).toBe(200);
    expect((await manage('GET', '/pos/sales')).text).toContain('"customer_phone":"0"');
  });
});
