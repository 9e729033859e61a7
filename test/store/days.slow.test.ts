import fc from 'fast-check';
import { type Kysely, sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openLog } from '../../gateway/base/log.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import { PglitePool } from '../../gateway/store/pglite/pool.ts';
import type { Store } from '../../gateway/store/port.ts';
import { kyselyOn } from '../../gateway/store/sql/connection.ts';
import { addDays } from '../../gateway/store/sql/days.ts';
import { ClosingPool, openPostgres } from '../../gateway/store/sql/postgres.ts';
import { openSqlStore } from '../../gateway/store/sql/store.ts';
import { forAllAsync } from '../for-all.ts';
import { createDatabase, onScale } from '../scale/services.ts';
import { attempt, call, delivery, idAt } from './rows.ts';

const dayMs = 86_400_000;
/** The day for this process. Other processes have the machine's. */
const today = Date.UTC(2026, 1, 27);
const nowMs = today + 86_390_000;
const digits = (atMs: number) => new Date(atMs).toISOString().slice(0, 10).replaceAll('-', '');
const unless = { column: 'delivery_id', table: 'deliveries', where: { status: 'pending' } } as const;

beforeEach(() => {
  vi.setSystemTime(nowMs);
  return () => void vi.useRealTimers();
});

type Opened = { db: Kysely<unknown>; open: () => Promise<Store> };

const rowsIn = async (db: Kysely<unknown>, table: string): Promise<Record<string, number>> => {
  const { rows } = await sql<{ name: string; rows: string }>`
    select tableoid::regclass::text as name, count(*) as rows from ${sql.table(`passerelle.${table}`)} group by 1 order by 1`.execute(
    db,
  );
  return Object.fromEntries(rows.map(({ name, rows }) => [name.replace('passerelle.', ''), Number(rows)]));
};

const partitions = async (db: Kysely<unknown>, table: string): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = ${`passerelle.${table}`}::regclass order by 1`.execute(db);
  return rows.map(({ name }) => name);
};

function dayTests(opened: () => Opened): void {
  test('a row lies in the partition of its day; the rest takes every other row', async () => {
    const { db, open } = opened();
    const store = await open();
    await store.append('calls', [call(today), call(today + dayMs), call(today - 40 * dayMs), call(today, 1, { id: 'x' })]);
    await store.append('attempts', [attempt(idAt('dlv', today + 2 * dayMs), today), attempt('other', today)]);
    expect(await rowsIn(db, 'calls')).toEqual({
      [`calls_${digits(today)}`]: 1,
      [`calls_${digits(today + dayMs)}`]: 1,
      calls_rest: 2,
    });
    expect(await rowsIn(db, 'attempts')).toEqual({ [`attempts_${digits(today + 2 * dayMs)}`]: 1, attempts_rest: 1 });
    expect(await store.get('calls', { id: idAt('call', today - 40 * dayMs) })).toEqual(call(today - 40 * dayMs));
  });

  test('a new day takes its rows out of the rest', async () => {
    const { db, open } = opened();
    const store = await open();
    const day = today + 20 * dayMs;
    await store.append('calls', [call(day), call(day + dayMs - 1), call(day + 10 * dayMs)]);
    await addDays(db, 'calls', day);
    expect(await rowsIn(db, 'calls')).toEqual({ [`calls_${digits(day)}`]: 2, calls_rest: 1 });
  });

  test('an expired day is dropped as a whole; what must be kept moves to the rest until it expires', async () => {
    const { db, open } = opened();
    const store = await open();
    const day = today - 40 * dayMs;
    for (const table of ['calls', 'attempts'] as const) await addDays(db, table, day);
    const ids = [0, 1, 2, 3].map((serial) => idAt('dlv', day, serial));
    const [pending = '', resent = '', ended = '', missing = ''] = ids;
    const beforeMs = day + dayMs + 1000;
    await store.append('calls', [call(day), call(day + dayMs - 1), call(day + dayMs)]);
    await store.append(
      'deliveries',
      [pending, resent, ended].map((id) => ({
        ...delivery(id, `evt_${id}`, 'ep'),
        status: id === pending ? 'pending' : 'failed',
      })),
    );
    await store.append('attempts', [
      attempt(pending, day),
      attempt(resent, day),
      attempt(resent, beforeMs, { number: 2 }),
      attempt(ended, day),
      attempt(missing, day),
    ]);
    await store.expire('calls', { beforeMs });
    await store.expire('attempts', { beforeMs, unless });
    expect(await partitions(db, 'calls')).not.toContain(`calls_${digits(day)}`);
    expect(await rowsIn(db, 'calls')).toEqual({ [`calls_${digits(day + dayMs)}`]: 1 });
    expect(await partitions(db, 'attempts')).not.toContain(`attempts_${digits(day)}`);
    expect(await rowsIn(db, 'attempts')).toEqual({ attempts_rest: 2 });
    await store.update('deliveries', { id: pending }, { status: 'delivered' });
    await store.expire('attempts', { beforeMs, unless });
    expect((await store.list('attempts')).map(({ delivery_id, number }) => [delivery_id, number])).toEqual([[resent, 2]]);
    await store.expire('attempts', { beforeMs: beforeMs + 1, unless });
    expect(await store.count('attempts')).toBe(0);
  });
}

describe('on PGlite', () => {
  test('a list over many days has the rows that a store without days returns, at any cursor, offset and limit', async () => {
    await pool.query('create schema if not exists passerelle');
    const store = await openSqlStore(pool);
    const memory = new MemoryStore();
    const db = kyselyOn(pool);
    for (const ago of [13, 6, 3]) await addDays(db, 'calls', today - ago * dayMs);
    const rows = Array.from({ length: 60 }, (_, n) => call(today + (3 - n / 3) * dayMs, n, { status: 200 + (n % 3) }));
    for (const each of [store, memory]) await each.append('calls', rows);
    const id = fc.option(
      fc.integer({ min: -19, max: 5 }).map((days) => idAt('call', today + days * dayMs)),
      { nil: undefined },
    );
    const query = fc.record({
      where: fc.record({ id: fc.record({ lt: id, gte: id, lte: id, gt: id }), status: fc.constantFrom(undefined, 201) }),
      limit: fc.integer({ min: 1, max: 40 }),
      offset: fc.integer({ min: 0, max: 30 }),
      order: fc.constant([['id', 'desc']] as const),
    });
    await forAllAsync(200, [query], async (one) => {
      expect(await store.list('calls', one)).toEqual(await memory.list('calls', one));
      // So many candidates that no stretch of days ends a scan.
      const scan = {
        where: { id: one.where.id },
        key: 'id',
        candidates: 100,
        anyOf: [{ status: 201 }],
        limit: one.limit,
      } as const;
      expect(await store.scan('calls', scan)).toEqual(await memory.scan('calls', scan));
    });
  });

  let pool: PglitePool;
  beforeAll(async () => {
    pool = await PglitePool.open('memory://');
    return () => pool.end();
  });
  beforeEach(() => pool.query('drop schema if exists passerelle cascade').then(() => {}));
  dayTests(() => {
    const db = kyselyOn(pool);
    return { db, open: () => openSqlStore(pool) };
  });
});

onScale('on PostgreSQL', () => {
  let url: string;
  let db: Kysely<unknown>;
  beforeEach(async () => {
    const database = await createDatabase();
    url = database.url;
    db = kyselyOn(new ClosingPool({ connectionString: url, max: 5 }));
    return async () => {
      await db.destroy();
      await database.drop();
    };
  });
  const open = async () => {
    const store = await openPostgres({ url, connections: 5, log: openLog('silent') });
    onTestFinished(() => store.close());
    return store;
  };
  dayTests(() => ({ db, open }));

  test('several processes add each day once', async () => {
    await open();
    const day = today + 20 * dayMs;
    await Promise.all(Array.from({ length: 5 }, () => addDays(db, 'calls', day).catch(() => {})));
    await addDays(db, 'calls', day);
    const days = [0, 1, 2].map((after) => `calls_${digits(day + after * dayMs)}`);
    expect((await partitions(db, 'calls')).filter((name) => days.includes(name))).toEqual(days);
  });

  test('a long transaction delays a change of partitions, and no call waits for it', async () => {
    const store = await open();
    const day = today + 20 * dayMs;
    const reading = Promise.withResolvers<void>();
    const read = Promise.withResolvers<void>();
    const transaction = db.transaction().execute(async (tx) => {
      await sql`select count(*) from passerelle.calls`.execute(tx);
      reading.resolve();
      await read.promise;
    });
    await reading.promise;
    const added = addDays(db, 'calls', day);
    await store.append('calls', [call(day)]);
    await store.append('calls', [call(today)]);
    await expect(added).rejects.toMatchObject({ code: '55P03' });
    expect(await rowsIn(db, 'calls')).toEqual({ [`calls_${digits(today)}`]: 1, calls_rest: 1 });
    read.resolve();
    await transaction;
    await addDays(db, 'calls', day);
    expect(await rowsIn(db, 'calls')).toEqual({ [`calls_${digits(day)}`]: 1, [`calls_${digits(today)}`]: 1 });
  });
});
