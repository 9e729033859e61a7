import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import pino from 'pino';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../gateway/base/clock.ts';
import { SettingsError } from '../../gateway/base/errors.ts';
import { pointsOf } from '../../gateway/figures/periods.ts';
import { readSeries } from '../../gateway/figures/read.ts';
import type { Queue } from '../../gateway/queue/port.ts';
import { migrations, oldestReader } from '../../gateway/store/migrations/index.ts';
import { PglitePool } from '../../gateway/store/pglite/pool.ts';
import { kyselyOn } from '../../gateway/store/sql/connection.ts';
import { openSqlStore } from '../../gateway/store/sql/store.ts';
import { tables } from '../../gateway/store/tables/index.ts';
import { nobodyListens } from '../../gateway/webhooks/model/listener.ts';
import { fanOutBatch } from '../../gateway/webhooks/outbox/fanout.ts';
import { event } from './rows.ts';

const typeOf: Record<string, string> = {
  text: 'text',
  integer: 'integer',
  serial: 'integer',
  position: 'bigint',
  time: 'bigint',
  real: 'double precision',
  decimal: 'numeric',
  boolean: 'boolean',
  json: 'json',
};

const partitions = sql`(select relname from pg_class where relispartition)`;

/** Columns that processes of an older version still write. The next version drops them. */
const retired = /^tallies\.ms_\d+ /;

let pool: PglitePool;
let db: Kysely<unknown>;

beforeAll(async () => {
  pool = await PglitePool.open('memory://');
  db = kyselyOn(pool);
  await openSqlStore(pool);
  return () => pool.end();
});

test('the migrations create the tables of the register: columns, types, keys and indexes', async () => {
  const columns = await sql<{ table_name: string; column_name: string; data_type: string; is_nullable: string }>`
    select table_name, column_name, data_type, is_nullable from information_schema.columns
    where table_schema = 'passerelle' and table_name not like 'kysely%' and table_name not in ${partitions}`.execute(db);
  const made = columns.rows.map(
    (row) => `${row.table_name}.${row.column_name} ${row.data_type}${row.is_nullable === 'YES' ? ' null' : ''}`,
  );
  const registered = Object.entries(tables).flatMap(([name, table]) =>
    Object.entries(table.columns).map(
      ([column, { kind, nullable }]) => `${name}.${column} ${typeOf[kind]}${nullable ? ' null' : ''}`,
    ),
  );
  expect(made.filter((column) => !retired.test(column)).sort()).toEqual(registered.sort());

  const indexes = await sql<{
    indexdef: string;
  }>`select indexdef from pg_indexes
    where schemaname = 'passerelle' and tablename not like 'kysely%' and tablename not in ${partitions}`.execute(db);
  const madeIndexes = indexes.rows.map(({ indexdef }) =>
    /^CREATE (UNIQUE )?INDEX \S+ ON (?:ONLY )?passerelle\.(\w+) USING (?:btree |(brin ))(\(.*?\))(?: WHERE .*)?$/
      .exec(indexdef.replaceAll('"', ''))
      ?.slice(1)
      .map((part) => part ?? '')
      .join(''),
  );
  const wanted = Object.entries(tables).flatMap(([name, table]) => {
    const {
      key,
      unique = [],
      indexes: plain = [],
    } = table as { key: readonly string[]; unique?: string[][]; indexes?: (string[] | { on: string[]; using?: string })[] };
    return [
      ...[key, ...unique].map((of) => `UNIQUE ${name}(${of.join(', ')})`),
      ...plain.map((of) => {
        const { on, using } = Array.isArray(of) ? { on: of } : of;
        return `${name}${using ? `${using} ` : ''}(${on.join(', ')})`;
      }),
    ];
  });
  expect(madeIndexes.sort()).toEqual(wanted.sort());
});

test('opening again changes nothing; each migration is recorded once', async () => {
  await openSqlStore(pool);
  const recorded = await sql<{ name: string }>`select name from passerelle.kysely_migration order by name`.execute(db);
  expect(recorded.rows).toEqual(Object.keys(migrations).map((name) => ({ name })));
});

test('data of a newer version is used if that version says so, and else rejected with a message of one line', async () => {
  await sql`insert into passerelle.kysely_migration (name, timestamp) values ('999-from-the-future', '2030')`.execute(db);
  // Its newest version notes, as this one does, that it only added something.
  expect(await (await openSqlStore(pool)).count('events')).toBe(0);
  for (const noted of ["'999-from-the-future'", 'null']) {
    await sql.raw(`comment on schema passerelle is ${noted}`).execute(db);
    const opened = openSqlStore(pool);
    await expect(opened).rejects.toThrow(SettingsError);
    await expect(opened).rejects.toThrow(
      /^The data was written by a newer version of Passerelle \(.*999-from-the-future.*\)\. Start that version/,
    );
  }
});

test('migrations after the oldest version that can use the schema only add what it need not write', async () => {
  const { old, before } = await databaseBefore(`${oldestReader}~`);
  const columns = async () => {
    const { rows } = await sql<{ name: string; is_needed: boolean }>`
      select concat_ws(' ', table_name, column_name, data_type, is_nullable) as name,
        is_nullable = 'NO' and column_default is null as is_needed
      from information_schema.columns
      where table_schema = 'passerelle' and table_name not in ${partitions}`.execute(before);
    return rows;
  };
  const tablesOf = (rows: { name: string }[]) => new Set(rows.map(({ name }) => name.split(' ')[0]));
  const known = await columns();
  await openSqlStore(old);
  const now = await columns();
  expect(now.map(({ name }) => name)).toEqual(expect.arrayContaining(known.map(({ name }) => name)));
  const added = now.filter(({ name }) => !known.some((one) => one.name === name));
  const inOldTables = added.filter(({ name }) => tablesOf(known).has(name.split(' ')[0]));
  expect(added.length).toBeGreaterThan(0);
  expect(inOldTables.filter(({ is_needed }) => is_needed)).toEqual([]);
});

/** A database as the version before this migration left it. */
async function databaseBefore(migration: string) {
  const old = await PglitePool.open('memory://');
  onTestFinished(() => old.end());
  const before = kyselyOn(old);
  await sql`create schema passerelle`.execute(before);
  const released = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < migration));
  const migrator = new Migrator({
    db: before,
    provider: { getMigrations: async () => released },
    migrationTableSchema: 'passerelle',
  });
  expect((await migrator.migrateToLatest()).error).toBeUndefined();
  return { old, before };
}

test('latencies of the version before are shown after an upgrade, and its processes go on writing', async () => {
  vi.setSystemTime(Date.UTC(2026, 10, 21, 8, 53));
  onTestFinished(() => void vi.useRealTimers());
  const { old, before } = await databaseBefore('011');
  const windows = pointsOf('hour', Date.now());
  // As a process of that version writes them: all of its columns.
  const columns = [1, 2, 4, 8, 15, 30, 60, 125, 250, 500, 1000, 2000, 4000, 8000, 15_000, 30_000];
  const counts = (bound: number) => columns.map((one) => (one === bound ? 3 : 0)).join();
  const names = columns.map((bound) => `ms_${bound}`).join();
  const write = (name: string) =>
    sql
      .raw(
        `insert into passerelle.tallies (kind, width, at, subject, name, total, refused, share, limit_max, ${names})
        values ('call', 60000, ${windows.starts.at(-2)}, 'pos', '${name}', 3, 0, 0, 0, ${counts(4000)})`,
      )
      .execute(before);
  await write('succeeded');
  const store = await openSqlStore(old);
  const { latencyMs } = await readSeries(store, windows, { kind: 'call', names: ['succeeded'] });
  // The old class of these was from 2 s to 4 s.
  expect(latencyMs?.p50).toBeGreaterThan(2000);
  expect(latencyMs?.p50).toBeLessThan(4000);
  await write('refused');
  expect(await store.count('tallies')).toBe(2);
});

test('endpoints of the version before belong to the operator, and go on receiving', async () => {
  const { old, before } = await databaseBefore('018');
  const write = (text: string) => sql.raw(text).execute(before);
  // As a process of that version writes them: all of its columns.
  const addEndpoint = (id: string, active: boolean, perimeter: string) =>
    write(`insert into passerelle.endpoints (id, service, url, description, events, perimeter, active, disabled_reason, secrets,
      ordered, holds, created_at, updated_at) values ('${id}', 'pos', 'https://example.com/', '', null, ${perimeter}, ${active},
      ${active ? 'null' : "'operator'"}, '[]', false, 0, 1, 1)`);
  const subscribe = (id: string, subject: string) =>
    write(
      `insert into passerelle.subscriptions (service, event_type, subject, endpoint_id) values ('pos', '*', '${subject}', '${id}')`,
    );
  await addEndpoint('ep_all', true, 'null');
  await subscribe('ep_all', '*');
  await addEndpoint('ep_paused', false, 'null');
  await subscribe('ep_paused', '*');
  await addEndpoint('ep_s1', true, `'["s1"]'`);
  await subscribe('ep_s1', 's1');
  const store = await openSqlStore(old);
  for (const endpoint of await store.list('endpoints')) expect(endpoint).toMatchObject({ owner: 'operator', visible: null });
  // A process of the version before may still run.
  await addEndpoint('ep_late', true, 'null');
  await subscribe('ep_late', '*');
  await store.append('events', [event('evt_1', { subject: 's1' }), event('evt_2', { subject: null })]);
  const queue = { add: async () => {} } as unknown as Queue;
  const rest = { clock: systemClock, log: pino({ level: 'silent' }), listener: nobodyListens, firstDelayMs: 0 };
  while (await fanOutBatch({ store, queue, ...rest }));
  const deliveries = await store.list('deliveries', {
    order: [
      ['event_id', 'asc'],
      ['endpoint_id', 'asc'],
    ],
  });
  expect(deliveries.map((one) => [one.event_id, one.endpoint_id, one.status, one.reason])).toEqual([
    ['evt_1', 'ep_all', 'pending', null],
    ['evt_1', 'ep_late', 'pending', null],
    ['evt_1', 'ep_paused', 'skipped', 'endpoint_disabled'],
    ['evt_1', 'ep_s1', 'pending', null],
    ['evt_2', 'ep_all', 'pending', null],
    ['evt_2', 'ep_late', 'pending', null],
    ['evt_2', 'ep_paused', 'skipped', 'endpoint_disabled'],
  ]);
});

test('alerts of the version before get the partner whom they concern', async () => {
  const { old, before } = await databaseBefore('021');
  const write = (text: string) => sql.raw(text).execute(before);
  // As a process of that version writes them: all of its columns.
  const addEndpoint = (id: string, owner: string, deletedAt: number | null = null) =>
    write(`insert into passerelle.endpoints (id, service, url, description, events, perimeter, active, disabled_reason, secrets,
      ordered, holds, created_at, updated_at, deleted_at, owner) values ('${id}', 'pos', 'https://example.com/', '', null, null, true,
      null, '[]', false, 0, 1, 1, ${deletedAt}, '${owner}')`);
  const addAlert = (id: string, rule: string, subject: string, owner: string | null = null) =>
    write(`insert into passerelle.alerts (id, owner, rule, severity, subject, open_key, message, page, opened_at, notified_at,
      resolved_at, detail) values ('${id}', ${owner === null ? 'null' : `'${owner}'`}, '${rule}', 'warning', '${subject}', '${id}',
      'It failed.', '/', 1, null, 2, null)`);
  await addEndpoint('ep_operator', 'operator');
  await addEndpoint('ep_account', 'account:acc_1');
  await addEndpoint('ep_deleted', 'user:7', 5);
  await addAlert('alr_1', 'dead_letters', 'ep_operator');
  await addAlert('alr_2', 'dead_letters', 'ep_account');
  await addAlert('alr_3', 'endpoint_held', 'ep_deleted');
  await addAlert('alr_4', 'endpoint_held', 'ep_that_retention_removed');
  await addAlert('alr_5', 'disk_space', '*');
  await addAlert('alr_6', 'limit_refusals', 'account:acc_1');
  // Its endpoint has moved to another partner since.
  await addAlert('alr_7', 'own_endpoint_held', 'ep_account', 'account:acc_2');
  await addAlert('alr_8', 'own_key_expires', 'pk_1', 'account:acc_1');
  const store = await openSqlStore(old);
  const alerts = await store.list('alerts', { order: [['id', 'asc']] });
  expect(alerts.map(({ id, owner, about }) => [id, owner, about])).toEqual([
    ['alr_1', null, null],
    ['alr_2', null, 'account:acc_1'],
    ['alr_3', null, 'user:7'],
    ['alr_4', null, null],
    ['alr_5', null, null],
    ['alr_6', null, null],
    ['alr_7', 'account:acc_2', 'account:acc_2'],
    ['alr_8', 'account:acc_1', 'account:acc_1'],
  ]);
  const ofPartner = await store.list('alerts', { where: { about: 'account:acc_1' }, order: [['id', 'asc']] });
  expect(ofPartner.map(({ id }) => id)).toEqual(['alr_2', 'alr_8']);
});
