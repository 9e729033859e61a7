import { Kysely, PostgresDialect, sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { SettingsError } from '../../gateway/base/errors.ts';
import { migrations } from '../../gateway/store/migrations/index.ts';
import { PglitePool } from '../../gateway/store/pglite/pool.ts';
import { openSqlStore } from '../../gateway/store/sql/store.ts';
import { tables } from '../../gateway/store/tables/index.ts';

const typeOf: Record<string, string> = {
  text: 'text',
  integer: 'integer',
  serial: 'integer',
  time: 'bigint',
  real: 'double precision',
  decimal: 'numeric',
  boolean: 'boolean',
  json: 'json',
};

const partitions = sql`(select relname from pg_class where relispartition)`;

let pool: PglitePool;
let db: Kysely<unknown>;

beforeAll(async () => {
  pool = await PglitePool.open('memory://');
  db = new Kysely({ dialect: new PostgresDialect({ pool: pool as never }) });
  await openSqlStore(pool as never);
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
  expect(made.sort()).toEqual(registered.sort());

  const indexes = await sql<{
    indexdef: string;
  }>`select indexdef from pg_indexes
    where schemaname = 'passerelle' and tablename not like 'kysely%' and tablename not in ${partitions}`.execute(db);
  const madeIndexes = indexes.rows.map(({ indexdef }) =>
    /^CREATE (UNIQUE )?INDEX \S+ ON (?:ONLY )?passerelle\.(\w+) USING (?:btree |(brin ))(\(.*?\))(?: WHERE .*)?$/
      .exec(indexdef)
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
  await openSqlStore(pool as never);
  const recorded = await sql<{ name: string }>`select name from passerelle.kysely_migration order by name`.execute(db);
  expect(recorded.rows).toEqual(Object.keys(migrations).map((name) => ({ name })));
});

test('data of a newer version is rejected with a message of one line', async () => {
  await sql`insert into passerelle.kysely_migration (name, timestamp) values ('999-from-the-future', '2030')`.execute(db);
  const opened = openSqlStore(pool as never);
  await expect(opened).rejects.toThrow(SettingsError);
  await expect(opened).rejects.toThrow(
    /^The data was written by a newer version of Passerelle \(.*999-from-the-future.*\)\. Start that version/,
  );
});
