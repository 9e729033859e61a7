import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openLog } from '../../gateway/base/log.ts';
import type { Store } from '../../gateway/store/port.ts';
import { openPostgres } from '../../gateway/store/sql/postgres.ts';
import { openSqlStore } from '../../gateway/store/sql/store.ts';
import { until } from '../e2e/process.ts';
import { openEmptyPglite } from '../pglite.ts';
import { createDatabase, onScale } from '../scale/services.ts';
import { event } from './rows.ts';

const positionsIn = async (store: Store, settled?: true) => {
  const where = { position: { gte: 0, ...(settled ? { settled } : {}) } };
  return Object.fromEntries((await store.list('events', { where })).map(({ id, position }) => [id, position]));
};

test('events of before the migration come first; after a restore in another cluster, new events still come last', async () => {
  const pool = await openEmptyPglite();
  const store = await openSqlStore(pool);
  onTestFinished(() => store.close());
  await store.append('events', [event('old'), event('far'), event('near')]);
  // The rows as a dump brings them: the first was stored before positions were, the second by a cluster with more transactions.
  await pool.run(
    `update passerelle.events set position = case id when 'old' then 0 when 'far' then 3000000000005 else position end`,
    [],
  );
  await pool.run(`comment on function passerelle.position_base() is '7712506351489712170/1'`, []);
  await openSqlStore(pool);
  await store.append('events', [event('new')]);
  const { old = 0, near = 0, far = 0, new: last = 0 } = await positionsIn(store, true);
  expect([old < near, near < far, far < last]).toEqual([true, true, true]);
  // Another start changes nothing.
  await openSqlStore(pool);
  await store.append('events', [event('newer')]);
  expect(((await positionsIn(store, true)).newer ?? 0) - last).toBeLessThan(100);
});

onScale('positions while transactions are in flight', () => {
  test('what commits behind an older transaction is settled when that has ended', async () => {
    const { url, drop } = await createDatabase();
    const store = await openPostgres({ url, connections: 2, log: openLog('silent') });
    const other = new pg.Client(url);
    await other.connect();
    onTestFinished(async () => {
      await other.end();
      await store.close();
      await drop();
    });
    // A transaction of a test beside this one is in the same cluster, and holds them back for a moment.
    const settled = (count: number) => until(async () => Object.keys(await positionsIn(store, true)).length === count);
    await store.append('events', [event('before')]);
    await settled(1);
    await other.query('begin');
    await other.query(`insert into passerelle.events (id, service, type, body, created_at) values ('slow', 'pos', 'x', '{}', 1)`);
    await store.append('events', [event('fast')]);
    expect(Object.keys(await positionsIn(store, true))).toEqual(['before']);
    expect(Object.keys(await positionsIn(store)).sort()).toEqual(['before', 'fast']);
    await other.query('commit');
    await settled(3);
    const { before = 0, slow = 0, fast = 0 } = await positionsIn(store, true);
    expect([before < slow, slow < fast]).toEqual([true, true]);
  });
});
