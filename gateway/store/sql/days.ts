import { type Kysely, type RawBuilder, sql } from 'kysely';
import { firstIdAt } from '../../base/ids.ts';
import { dailyOf, dayMs, dayOf, olderThan } from '../daily.ts';
import type { Expiry, Keeping } from '../port.ts';
import { type DailyTable, type TableName, tables } from '../tables/index.ts';
import { condition, schemaName } from './conditions.ts';
import type { AnyRow, Database } from './rows.ts';

/**
 * Daily partitions. A table's partitions are `calls_20261122` for one day (UTC), and `calls_rest` for every id that has no day:
 * rows are never refused.
 */
interface Day {
  /** The name of its partition. */
  name: string;
  /** Its end, in milliseconds since 1970. */
  untilMs: number;
}

/** Days that get their partition ahead, today included. */
const daysAhead = 3;
/**
 * Calls wait no longer than this for a change of partitions. A change that was not possible is tried again with the next
 * `expire`.
 */
const lockTimeoutMs = 250;
/** The maximum number of rows that move to the rest while calls wait. A day with more rows to keep stays, and is tried again. */
const maxKept = 10_000;
const batchRows = 1000;

/** Adds the partitions of today and the next days. Rows of these days that are in the rest move into their partition. */
export async function addDays(db: Kysely<Database>, name: DailyTable, nowMs: number): Promise<void> {
  const present = new Set((await daysOf(db, name)).map(({ untilMs }) => untilMs - dayMs));
  const days = Array.from({ length: daysAhead }, (_, index) => dayOf(nowMs) + index * dayMs);
  for (const day of days.filter((one) => !present.has(one))) await addDay(db, name, day);
}

/** Removes expired days as a whole, and the expired rows of the rest in batches. */
export async function expireRows<T extends DailyTable>(db: Kysely<Database>, name: T, expiry: Expiry<T>): Promise<void> {
  const days = await daysOf(db, name);
  for (const day of days.filter(({ untilMs }) => untilMs <= expiry.beforeMs)) await dropDay(db, name, day, expiry);
  await removeRest(db, name, expiry);
}

async function addDay(db: Kysely<Database>, name: DailyTable, day: number): Promise<void> {
  const { by, prefix } = dailyOf(name);
  const [from, to] = [firstIdAt(prefix, day), firstIdAt(prefix, day + dayMs)];
  const [parent, rest, added] = [table(name), table(`${name}_rest`), table(`${name}_${digitsOf(day)}`)];
  await changePartitions(db, async (tx) => {
    if (await exists(tx, `${name}_${digitsOf(day)}`)) return;
    await sql`create table ${added} (like ${parent} including all)`.execute(tx);
    // Nobody may add rows of this day to the rest while they move. Rows of other days have their own partitions.
    await sql`lock table ${rest} in access exclusive mode`.execute(tx);
    const key = sql.ref(by);
    await sql`with moved as (delete from ${rest} where ${key} >= ${from} and ${key} < ${to} returning *)
      insert into ${added} select * from moved`.execute(tx);
    await sql`alter table ${parent} attach partition ${added} for values from (${sql.lit(from)}) to (${sql.lit(to)})`.execute(tx);
  });
}

/** Drops a day, unless many of its rows must be kept. */
async function dropDay<T extends DailyTable>(db: Kysely<Database>, name: T, day: Day, expiry: Expiry<T>): Promise<void> {
  const dropped = table(day.name);
  const kept = keptRows(name, dropped, expiry);
  const { rows } = await sql<{ kept: string }>`select count(*) as kept from (${kept} limit ${maxKept + 1}) as bounded`.execute(
    db,
  );
  if (Number(rows[0]?.kept) > maxKept) return;
  await changePartitions(db, async (tx) => {
    if (!(await exists(tx, day.name))) return;
    await sql`alter table ${table(name)} detach partition ${dropped}`.execute(tx);
    // The day has no partition any more, so they go to the rest.
    await sql`insert into ${table(name)} ${kept}`.execute(tx);
    await sql`drop table ${dropped}`.execute(tx);
  });
}

/** Selects the rows of an expired day that have not expired: those with a later age, and those that `unless` keeps. */
function keptRows<T extends DailyTable>(name: T, from: RawBuilder<unknown>, { beforeMs, unless }: Expiry<T>) {
  const { age } = dailyOf(name);
  const young = age === undefined ? sql`false` : sql`${sql.ref(age)} >= ${beforeMs}::bigint`;
  const parts = [sql`select * from ${from} where ${young}`];
  if (unless) parts.push(sql`select * from ${from} where not (${young}) and ${belongs(unless)}`);
  return sql`${sql.join(parts, sql` union all `)}`;
}

/** The condition that a row belongs to a row that `unless` names. */
function belongs<T extends DailyTable>({ column, table: other, where }: Keeping<T, TableName>): RawBuilder<unknown> {
  const key = sql.ref(tables[other].key[0] as string);
  return sql`${sql.ref(column)} in (select ${key} from ${table(other)} where ${condition(other, where as AnyRow)})`;
}

async function removeRest<T extends DailyTable>(db: Kysely<Database>, name: T, { beforeMs, unless }: Expiry<T>): Promise<void> {
  const from = table(`${name}_rest`);
  const old = sql`${condition(name, olderThan(name, beforeMs) as AnyRow)} and ${unless ? sql`not (${belongs(unless)})` : sql`true`}`;
  for (let removed = batchRows; removed === batchRows; ) {
    const result = await sql`delete from ${from}
      where ctid = any(array(select ctid from ${from} where ${old} limit ${batchRows}))`.execute(db);
    removed = Number(result.numAffectedRows ?? 0);
  }
}

async function daysOf(db: Kysely<Database>, name: DailyTable): Promise<Day[]> {
  const { rows } = await sql<{ name: string }>`select relname as name from pg_inherits
    join pg_class on pg_class.oid = inhrelid where inhparent = ${`${schemaName}.${name}`}::regclass order by relname`.execute(db);
  return rows.flatMap((row) => {
    const [, year, month, day] = /_(\d{4})(\d{2})(\d{2})$/.exec(row.name) ?? [];
    if (year === undefined) return [];
    return [{ name: row.name, untilMs: Date.UTC(Number(year), Number(month) - 1, Number(day)) + dayMs }];
  });
}

/** Runs DDL in a transaction, one process at a time. Fails after `lockTimeoutMs` of waiting, with SQLSTATE 55P03. */
const changePartitions = (db: Kysely<Database>, work: (tx: Kysely<Database>) => Promise<void>): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = ${sql.lit(lockTimeoutMs)}`.execute(tx);
    await sql`select pg_advisory_xact_lock(hashtextextended('passerelle days', 0))`.execute(tx);
    await work(tx);
  });

async function exists(tx: Kysely<Database>, name: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select to_regclass(${`${schemaName}.${name}`}) is not null as found`.execute(tx);
  return rows[0]?.found === true;
}

const digitsOf = (day: number) => new Date(day).toISOString().slice(0, 10).replaceAll('-', '');

const table = (name: string) => sql.id(schemaName, name);
