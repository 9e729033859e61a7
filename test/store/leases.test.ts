import type { Kysely } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kyselyOn } from '../../gateway/store/sql/connection.ts';
import { SqlLease } from '../../gateway/store/sql/lease.ts';
import { openSqlStore, type SqlStore } from '../../gateway/store/sql/store.ts';
import { eventually } from '../eventually.ts';
import { openEmptyPglite } from '../pglite.ts';

let store: SqlStore;
let db: Kysely<unknown>;
beforeAll(async () => {
  const pool = await openEmptyPglite();
  store = await openSqlStore(pool);
  db = kyselyOn(pool);
});
afterAll(() => store.close());

/** Ends the lease's time, as if its holder had been suspended for so long. */
const expire = (name: string) => store.update('leases', { name }, { expires_at: 0 });

test('a lease that is not renewed expires; another process takes it, and the first one learns that it lost it', async () => {
  const first = await SqlLease.take(db, 'work', 4000);
  expect(await SqlLease.take(db, 'work')).toBeUndefined();
  // On a busy machine the first one may renew its lease in between.
  const second = await eventually(async () => {
    await expire('work');
    const lease = await SqlLease.take(db, 'work', 60_000);
    expect(lease).toBeDefined();
    return lease;
  });
  expect(second?.isHeld()).toBe(true);
  await eventually(() => expect(first?.isHeld()).toBe(false));
  // The one that lost it must not end the lease of the other.
  await first?.release();
  expect(await SqlLease.take(db, 'work')).toBeUndefined();
  await second?.release();
  const third = await SqlLease.take(db, 'work');
  expect(third?.isHeld()).toBe(true);
  await third?.release();
});

test('a lease is held for as long as its process runs', async () => {
  const lease = await SqlLease.take(db, 'long work', 4000);
  const [taken] = await store.list('leases', { where: { name: 'long work' } });
  const renewedFor = async () =>
    ((await store.list('leases', { where: { name: 'long work' } }))[0]?.expires_at ?? 0) - (taken?.expires_at ?? 0);
  await eventually(async () => expect(await renewedFor()).toBeGreaterThan(400));
  expect(lease?.isHeld()).toBe(true);
  expect(await SqlLease.take(db, 'long work')).toBeUndefined();
  await lease?.release();
});

test('a process that was suspended knows at once that its lease may have expired', async () => {
  const lease = await SqlLease.take(db, 'suspended work', 150);
  // The event loop stands still, as it does during SIGSTOP: no timer can renew the lease.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  expect(lease?.isHeld()).toBe(false);
  await lease?.release();
});
