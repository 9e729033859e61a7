import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mostAtOnce } from '../../gateway/http/call-queue.ts';
import type { Exchanged } from '../../gateway/http/record/har.ts';
import { cellOf, csvText } from '../../gateway/manage/lists/csv.ts';
import { asCurl } from '../../gateway/manage/lists/formats.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import { eventually } from '../eventually.ts';
import { forAllAsync } from '../for-all.ts';
import { missingOfHar } from '../har.ts';
import { buildTestApp, operatorToken } from '../helper.ts';
import { attempt } from '../store/rows.ts';
import { idAt, storeDeliveries } from '../webhooks/rows.ts';

const startMs = Date.UTC(2026, 10, 20);

/** Parses CSV as RFC 4180 describes it. */
function parsed(text: string): string[][] {
  const lines: string[][] = [[]];
  for (const [, cell = '', end] of text.matchAll(/("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/g)) {
    lines.at(-1)?.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    if (end === '\r\n') lines.push([]);
  }
  return lines.slice(0, -1);
}

const joined = async (chunks: AsyncIterable<string>) => (await Array.fromAsync(chunks)).join('');
async function* inBlocks<R>(...blocks: R[][]): AsyncGenerator<R[]> {
  yield* blocks;
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', ' ', '"', ',', ';', "'", '＝', 'é', '🙂', 'a', '1'))
    .map((parts) => parts.join('')),
);

describe('CSV', () => {
  test('any text is read back; what a spreadsheet would run gets an apostrophe', async () => {
    await forAllAsync(
      { examples: [[[['=1+1', '\t=cmd'] as [string, string]]]] },
      [fc.array(fc.tuple(anyText, anyText))],
      async (rows) => {
        const columns = [
          ['one', ([one]: [string, string]) => one],
          ['other', ([, other]: [string, string]) => other],
        ] as const;
        const read = parsed(await joined(csvText(columns, inBlocks(rows))));
        expect(read[0]).toEqual(['one', 'other']);
        expect(read.slice(1).map((line) => line.map(unguarded))).toEqual(rows.map((row) => row.map(unguarded)));
        for (const cell of read.slice(1).flat()) expect(cell).not.toMatch(/^(\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/);
      },
    );
  });

  const unguarded = (text: string) => text.replace(/^'/, '');

  test('numbers, dates of no value and objects', () => {
    expect([-5, null, undefined, true, { a: 1 }, '-5'].map(cellOf)).toEqual(['-5', '', '', 'true', '"{""a"":1}"', "'-5"]);
  });
});

describe('curl', () => {
  test('a whole file is safe in a shell: each command gets exactly its words', async () => {
    const nasty = fc
      .array(fc.constantFrom("'", '"', '\\', '$(id)', '`id`', '\n', '\r', '#', '!', '*', ' ', ';', '&', '-', '@', 'é', 'a'))
      .map((parts) => parts.join(''));
    const request = fc.record({ body: nasty, url: fc.webUrl({ withQueryParameters: true }), value: nasty, comment: nasty });
    const format = asCurl<Exchanged>((one) => one);
    await forAllAsync(40, [fc.array(request, { minLength: 1, maxLength: 20 })], async (requests) => {
      const rows = requests.map(
        ({ body, url, value, comment }): Exchanged => ({
          method: 'POST',
          url,
          body,
          comment,
          at: '2026-01-01T00:00:00.000Z',
          status: 200,
          durationMs: 1,
          headers: { 'x-nasty': `v${value}` },
          responseHeaders: {},
          responseBody: '',
        }),
      );
      const text = await joined(format.text(inBlocks(rows.slice(0, 3), rows.slice(3)), { protocol: 'http', host: 'h' }));
      const shell = `curl() { printf '%s\\0' "$@" end; }\n${text}`;
      const read = execFileSync('sh', { input: shell, encoding: 'utf8', env: {} }).split('\0end\0').slice(0, -1);
      expect(read.map((words) => words.split('\0').filter((word) => word !== '--globoff'))).toEqual(
        requests.map(({ body, url, value }) => [
          ...['-X', 'POST', url, '-H', `x-nasty: v${value}`],
          ...(body === '' ? [] : ['--data-raw', body]),
        ]),
      );
    });
  });
});

async function gatewayWithDeliveries() {
  const gateway = await buildTestApp();
  const [store] = await gateway.store.list('stores', { order: [['id', 'asc']] });
  const endpoint = (
    await gateway.manage('POST', '/endpoints', { service: 'pos', url: 'https://example.com/hook', perimeter: [store?.id] })
  ).body.data;
  const deliveries = await storeDeliveries(gateway.store, 3, { endpoint_id: endpoint.id, created_at: startMs });
  const [first, second] = deliveries as [Row<'deliveries'>, Row<'deliveries'>];
  await gateway.store.update('events', { id: first.event_id }, { subject: store?.id ?? '' });
  await gateway.store.append('attempts', [attemptOf(first, 1), attemptOf(first, 2), attemptOf(second, 1)]);
  return { gateway, deliveries, first, store: store as Row<'stores'> };
}

const attemptOf = ({ id, endpoint_id }: Row<'deliveries'>, number: number): Row<'attempts'> =>
  attempt(id, startMs + 12, {
    id: idAt('att', startMs),
    endpoint_id,
    number,
    outcome: 'status',
    error: '=HYPERLINK("http://evil.example")',
    url: 'https://example.com/hook',
    address: '192.0.2.1',
    request_headers: { 'content-type': 'application/json', 'webhook-id': 'evt_1' },
    response_status: 500,
    response_headers: { 'content-type': 'text/plain' },
    response_body: 'the disk is full',
    timings: { total: 12 },
    started_at: startMs,
  });

describe('exports of lists', () => {
  test('deliveries as CSV, with the filters of the list', async () => {
    const { gateway, deliveries, first, store } = await gatewayWithDeliveries();
    const reply = await gateway.manage('GET', '/deliveries/export?format=csv&status=failed');
    expect(reply.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="deliveries.csv"',
    });
    const [header = [], ...rows] = parsed(reply.text);
    const column = (name: string) => rows.map((row) => row[header.indexOf(name)]);
    expect(column('id')).toEqual(deliveries.map(({ id }) => id).reverse());
    expect(column('endpoint_url')).toEqual(Array(3).fill('https://example.com/hook'));
    expect(rows.find(([id]) => id === first.id)).toEqual(expect.arrayContaining([store.id, store.name]));
    expect(parsed((await gateway.manage('GET', '/deliveries/export?format=csv&status=pending')).text)).toHaveLength(1);
  });

  test('attempts as CSV, curl and HAR', async () => {
    const { gateway, first } = await gatewayWithDeliveries();
    const [header = [], ...rows] = parsed((await gateway.manage('GET', '/attempts/export?format=csv')).text);
    expect(rows).toHaveLength(3);
    expect(rows[0]?.[header.indexOf('error')]).toBe(`'=HYPERLINK("http://evil.example")`);
    const { log } = (await gateway.manage('GET', `/attempts/export?format=har&event_id=${first.event_id}`)).body;
    expect(log.entries).toHaveLength(2);
    for (const entry of log.entries) expect(missingOfHar(entry)).toEqual([]);
    expect(log.entries[0]).toMatchObject({
      request: { method: 'POST', url: 'https://example.com/hook', postData: { text: expect.stringContaining('sale.completed') } },
      response: { status: 500, content: { text: 'the disk is full' } },
    });
    const { text } = await gateway.manage('GET', '/attempts/export?format=curl');
    expect(text.match(/^curl /gm)).toHaveLength(3);
    expect(text).toContain('webhook-id: evt_1');
  });

  test('events and endpoints as CSV', async () => {
    const { gateway, store } = await gatewayWithDeliveries();
    const events = parsed((await gateway.manage('GET', `/events/export?format=csv&subject=${store.id}`)).text);
    expect(events[1]).toEqual(expect.arrayContaining([store.id, store.name]));
    expect(parsed((await gateway.manage('GET', '/endpoints/export?format=csv')).text)[1]).toContain('https://example.com/hook');
  });

  test('calls have no secrets', async () => {
    const { gateway } = await gatewayWithDeliveries();
    await gateway.call('POST', '/pos/api/auth', { body: { api_key: 'pk_1', api_secret: 'hush-hush' } });
    for (const format of ['csv', 'jsonl', 'curl', 'har']) {
      const { text, status } = await gateway.manage('GET', `/calls/export?format=${format}&api=pos`);
      expect(status).toBe(200);
      expect(text).toContain('/pos/api/auth');
      expect(text).not.toContain('hush-hush');
    }
  });

  test.each([
    ['/calls/export?format=cvs', 'the nearest is csv'],
    ['/deliveries/export', 'is required: one of csv'],
    ['/endpoints/export?format=cvs', 'must be csv'],
    ['/calls/export?format=csv&stats=404', 'stats: is not a field of this request; the nearest is status'],
    ['/events/count?typ=a', 'typ: is not a field of this request; the nearest is type'],
    ['/endpoints?stat=ok', 'stat: is not a field of this request; the nearest is state'],
    ['/deliveries/export?format=csv&cursor=dlv_1', 'cursor: is not a field of this request'],
  ])('%s is refused: %s', async (path, message) => {
    const gateway = await buildTestApp({ demo: false });
    const { status, body } = await gateway.manage('GET', path);
    expect(status).toBe(400);
    expect(body.error.message).toContain(message);
  });
});

test('an export is read at the speed of its client, and not further when the client is gone', async () => {
  const store = new MemoryStore();
  const { list } = store;
  let pages = 0;
  store.list = (table, query) => {
    if (table === 'events') pages += 1;
    return list(table, query);
  };
  const gateway = await buildTestApp({ demo: false, store });
  // A page of 100 of these is larger than the buffers of a connection.
  await storeDeliveries(store, 2000, { endpoint_id: 'ep_1', created_at: startMs }, () => 'x'.repeat(50_000));
  await gateway.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = gateway.app.server.address() as AddressInfo;
  const options = {
    port,
    host: '127.0.0.1',
    path: '/manage/v1/events/export?format=csv',
    headers: { authorization: `Bearer ${operatorToken}` },
    createConnection: () => connect({ port, host: '127.0.0.1' }),
  };
  const [reply] = (await once(get(options), 'response')) as [IncomingMessage];
  await eventually(() => expect(pages).toBeGreaterThan(0));
  const socket = reply.socket;
  reply.pause();
  // The gateway answers other calls meanwhile, and reads no more than the buffers hold. Slow readers take up no room of others.
  const readers = Array.from({ length: mostAtOnce }, () => once(get(options), 'response') as Promise<[IncomingMessage]>);
  const sockets = [socket, ...(await Promise.all(readers)).map(([slow]) => slow.pause().socket)];
  for (let call = 0; call < 20; call++) expect((await gateway.manage('GET', '/endpoints')).status).toBe(200);
  const read = pages;
  expect(read).toBeLessThan(10 * sockets.length);
  for (const one of sockets) one.destroy();
  await eventually(async () => expect(await connections(gateway)).toBe(0));
  for (let call = 0; call < 20; call++) expect((await gateway.manage('GET', '/endpoints')).status).toBe(200);
  expect(pages).toBeLessThanOrEqual(read + sockets.length);
});

const connections = (gateway: { app: { server: { getConnections(done: (error: unknown, count: number) => void): void } } }) =>
  new Promise<number>((resolve) => gateway.app.server.getConnections((_error, count) => resolve(count)));
