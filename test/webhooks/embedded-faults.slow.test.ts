import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../gateway/base/clock.ts';
import { Keyring } from '../../gateway/base/keyring.ts';
import { openLog } from '../../gateway/base/log.ts';
import { openEmbeddedQueue } from '../../gateway/queue/embedded.ts';
import { PglitePool } from '../../gateway/store/pglite/pool.ts';
import { openSqlStore } from '../../gateway/store/sql/store.ts';
import { newDataDir } from '../e2e/process.ts';
import { emptyDatabase } from '../pglite.ts';
import { type Harness, startHarness, unaccounted, until } from './harness.ts';
import { patientReceiver } from './receiver.ts';

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
