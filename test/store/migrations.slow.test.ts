import { type Kysely, sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { SettingsError } from '../../gateway/base/errors.ts';
import { schema } from '../../gateway/store/migrations/index.ts';
import { PglitePool } from '../../gateway/store/pglite/pool.ts';
import { kyselyOn } from '../../gateway/store/sql/connection.ts';
import { openSqlStore } from '../../gateway/store/sql/store.ts';
import type { Column } from '../../gateway/store/tables/columns.ts';
import { tables } from '../../gateway/store/tables/index.ts';

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
  expect(made.sort()).toEqual(registered.sort());

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

test('SQL accepts the values of the register, and no others', async () => {
  const { rows } = await sql<{ table_name: string; definition: string }>`
    select relname as table_name, pg_get_constraintdef(pg_constraint.oid) as definition
    from pg_constraint join pg_class on pg_class.oid = conrelid
    where connamespace = 'passerelle'::regnamespace and contype = 'c' and not relispartition`.execute(db);
  const made = rows.map(({ table_name, definition }) => {
    const [, column] = /^CHECK \(\((\w+) = ANY/.exec(definition) ?? [];
    const values = [...definition.matchAll(/'(\w+)'::text/g)].map(([, value]) => value);
    return `${table_name}.${column}: ${values.join(', ')}`;
  });
  const registered = Object.entries(tables).flatMap(([name, { columns }]) =>
    Object.entries<Column>(columns).flatMap(([column, { values }]) =>
      values === undefined ? [] : [`${name}.${column}: ${values.join(', ')}`],
    ),
  );
  expect(made.sort()).toEqual(registered.sort());
});

test('rows of small tables name rows that exist', async () => {
  const { rows } = await sql<{ named: string }>`
    select conrelid::regclass || ' ' || pg_get_constraintdef(oid) as named from pg_constraint
    where connamespace = 'passerelle'::regnamespace and contype = 'f'`.execute(db);
  expect(rows.map(({ named }) => named.replaceAll('passerelle.', '')).sort()).toEqual([
    'api_keys FOREIGN KEY (account_id) REFERENCES accounts(id)',
    'financings FOREIGN KEY (structure_id) REFERENCES structures(id)',
    'interventions FOREIGN KEY (structure_id) REFERENCES structures(id)',
    'tokens FOREIGN KEY (user_id) REFERENCES users(id)',
  ]);
});

test('opening again changes nothing; each migration is recorded once', async () => {
  await openSqlStore(pool);
  const recorded = await sql<{ name: string }>`select name from passerelle.kysely_migration order by name`.execute(db);
  expect(recorded.rows).toEqual(Object.keys(schema.migrations).map((name) => ({ name })));
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
