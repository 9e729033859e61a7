import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../gateway/base/clock.ts';
import { Keyring } from '../../gateway/base/keyring.ts';
import { openLog } from '../../gateway/base/log.ts';
import { openEmbeddedQueue } from '../../gateway/queue/embedded.ts';
import { PglitePool } from '../../gateway/store/pglite/pool.ts';
import { openSqlStore } from '../../gateway/store/sql/store.ts';
import { newDataDir } from '../e2e/process.ts';
import { freePort } from '../free-port.ts';
import { emptyDatabase } from '../pglite.ts';
import { type Harness, settled, startHarness, unaccounted, until } from './harness.ts';
import { patientReceiver, receiver, receiverOn } from './receiver.ts';

const log = openLog('silent');
const keys = new Keyring(randomBytes(32));

/** Starts webhooks on the database in this folder, as one process would. */
async function startProcess(folder: string, settings: object = {}): Promise<Harness & { pool: PglitePool }> {
  const pool = await PglitePool.open(folder);
  onTestFinished(() => pool.end());
  const store = await openSqlStore(pool);
  const queue = await openEmbeddedQueue(pool, { attemptDeadlineMs: 60_000, log });
  const harness = startHarness({ clock: systemClock, store, queue, keys, settings: { deadlineMs: 60_000, ...settings } });
  return { ...harness, pool };
}

/** Returns the folder of an empty database, which may not exist yet. */
function folderOfDatabase(): string {
  const database = emptyDatabase();
  return database === 'memory://' ? join(newDataDir({ empty: true }), 'postgres') : database;
}

/** Returns the distinct bodies that arrived for each webhook id. */
function bytesOf(received: { headers: object; body: string }[]): Map<string, Set<string>> {
  const bodies = new Map<string, Set<string>>();
  for (const { headers, body } of received) {
    const id = String((headers as Record<string, string>)['webhook-id']);
    bodies.set(id, (bodies.get(id) ?? new Set()).add(body));
  }
  return bodies;
}

test('the store closes during attempts in flight: after it is opened again, everything arrives and the ledger balances', async () => {
  const folder = folderOfDatabase();
  const { url, received, waiting, answerAll } = await patientReceiver();
  const before = await startProcess(folder);
  await before.endpoint({ url });
  await before.emit(undefined, { count: 10 });
  await until(() => expect(waiting).toHaveLength(10));
  await before.pool.end();
  answerAll();
  await before.webhooks.close();

  // Instead of waiting until the attempts count as lost.
  const after = await startProcess(folder, { reconcileEveryMs: 50, graceMs: 0 });
  await after.store.update('deliveries', { status: 'pending' }, { next_attempt_at: 0 });
  await until(async () => {
    answerAll();
    expect(await after.deliveries({ status: 'delivered' })).toHaveLength(10);
  });
  expect(await unaccounted(after.store)).toBe(0);
  expect((await after.attempts()).map(({ outcome }) => outcome)).toEqual(Array(10).fill('success'));
  const bodies = bytesOf(received);
  expect(bodies.size).toBe(10);
  for (const same of bodies.values()) expect(same.size).toBe(1);
});

test('the queue’s tables are emptied: everything still arrives', async () => {
  const { url, received } = await receiver();
  const { pool, store, queue, ...harness } = await startProcess(emptyDatabase(), {
    scheduleSeconds: [3600],
    reconcileEveryMs: 50,
    graceMs: 0,
  });
  await harness.endpoint({ url });
  await harness.emit(undefined, { count: 5 });
  await until(async () => expect((await queue.held?.())?.ids).toHaveProperty('size', 5));
  const { rows } = await pool.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'bullmq' and tablename ~ '^jobs?$|_jobs?$'`,
  );
  await pool.query(`delete from bullmq.${rows[0]?.name}`);
  expect((await queue.depth()).delayed).toBe(0);
  // Make them due now, instead of waiting for an hour.
  await store.update('deliveries', { status: 'pending' }, { next_attempt_at: 0 });
  await until(() => expect(received).toHaveLength(5));
});

test('a receiver dies during deliveries and starts again on its port: all arrive', async () => {
  const { server, url, received } = await receiverOn(await freePort(), () => {});
  const harness = await startProcess(emptyDatabase(), { scheduleSeconds: [0, ...Array(20).fill(0.5)] });
  await harness.endpoint({ url });
  await harness.emit(undefined, { count: 3 });
  await until(() => expect(received).toHaveLength(3));
  server.closeAllConnections();
  await once(server.close(), 'close');
  await until(async () => expect((await harness.attempts()).map(({ outcome }) => outcome)).toContain('connect'));

  const again = await receiverOn(Number(new URL(url).port));
  await settled(harness, 3, 'delivered');
  expect(bytesOf([...received, ...again.received]).size).toBe(3);
  expect(bytesOf(again.received)).toEqual(bytesOf(received));
  expect(await unaccounted(harness.store)).toBe(0);
});
