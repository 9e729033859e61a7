import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import { buildTestApp, operatorToken } from '../helper.ts';
import { event } from '../store/rows.ts';

const events = 100_000;
const bodyBytes = 3000;
const megabyte = 2 ** 20;
/** The memory in use is measured each time so many bytes have arrived. */
const measuredEveryBytes = 20 * megabyte;

const idOf = (number: number) => `evt_${String(number).padStart(6, '0')}`;

function eventOf(number: number): Row<'events'> {
  const id = idOf(number);
  return event(id, { body: id.padEnd(bodyBytes, 'x'), fanned_out_at: 1, matched: 0 });
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** The memory that is still referenced. */
function liveBytes(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

test('an export of 100,000 rows has all of them, and keeps a small part of their 300 MB in memory', async () => {
  const store = new MemoryStore();
  const gateway = await buildTestApp({ demo: false, store });
  const { list } = store;
  // The rows are made when they are read, so that only the export can keep them.
  store.list = async (table, query) => {
    if (table !== 'events') return list(table, query);
    const before = (query?.where as { id?: { lt?: string } } | undefined)?.id?.lt;
    const first = before === undefined ? events - 1 : Number(before.slice(4)) - 1;
    const count = Math.min(query?.limit ?? 0, first + 1);
    return Array.from({ length: count }, (_, index) => eventOf(first - index)) as never;
  };
  await gateway.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = gateway.app.server.address() as AddressInfo;
  const headers = { authorization: `Bearer ${operatorToken}` };
  const beforeBytes = liveBytes();
  const asked = get({ port, host: '127.0.0.1', path: '/manage/v1/events/export?format=csv', headers });
  const [reply] = (await once(asked, 'response')) as [IncomingMessage];
  let lines = 0;
  let bytes = 0;
  let mostBytes = 0;
  for await (const chunk of reply as AsyncIterable<Buffer>) {
    lines += chunk.toString('latin1').split('\n').length - 1;
    const isDue = Math.floor((bytes + chunk.length) / measuredEveryBytes) > Math.floor(bytes / measuredEveryBytes);
    bytes += chunk.length;
    if (isDue) mostBytes = Math.max(mostBytes, liveBytes());
  }
  expect(lines).toBe(events + 1);
  expect(bytes).toBeGreaterThan(events * bodyBytes);
  expect(mostBytes).toBeGreaterThan(0);
  expect((mostBytes - beforeBytes) / megabyte).toBeLessThan(100);
});
