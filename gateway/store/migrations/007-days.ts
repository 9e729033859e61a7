import { type Kysely, sql } from 'kysely';

/**
 * Puts calls and attempts into daily partitions (decision 035). The existing rows become one partition. Drops the indexes of
 * calls by API, address and status: these filters now use a bounded scan.
 */
export const days = {
  async up(db: Kysely<unknown>): Promise<void> {
    const run = (statement: string) => sql.raw(statement).execute(db);
    for (const name of ['calls_api_id', 'calls_ip_id', 'calls_status_id']) await run(`drop index passerelle.${name}`);
    await run('alter table passerelle.attempts drop constraint attempts_pkey');
    await partition(db, 'calls', 'id', 'call', [
      `alter table passerelle.calls add primary key (id)`,
      `create index calls_operation_id on passerelle.calls (operation, id)`,
      `create index calls_caller_id on passerelle.calls (caller, id)`,
      `create index calls_error_code_id on passerelle.calls (error_code, id) where error_code is not null`,
      `create index calls_refused on passerelle.calls (id) where status >= 400`,
      `create index calls_broken on passerelle.calls (id) where status >= 500`,
    ]);
    await partition(db, 'attempts', 'delivery_id', 'dlv', [
      `alter table passerelle.attempts add unique (delivery_id, number)`,
      `create index attempts_failed on passerelle.attempts (endpoint_id, id) where outcome <> 'success'`,
      `create index attempts_ended_at on passerelle.attempts using brin (ended_at)`,
    ]);
  },
};

const dayMs = 86_400_000;
/**
 * The partition of the old rows ends a week after tomorrow. Until then, processes of the old version do no harm. Their retention
 * would delete wrong rows in the other partitions, but these are empty.
 */
const untilMs = () => Math.floor(Date.now() / dayMs) * dayMs + 9 * dayMs;
const boundOf = (prefix: string, atMs: number) => `${prefix}_${atMs.toString(16).padStart(12, '0')}`;

/** The new table has the indexes of the old one, so attaching the old one builds only a BRIN index. */
async function partition(db: Kysely<unknown>, name: string, key: string, prefix: string, indexes: string[]): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db);
  const until = untilMs();
  const bound = boundOf(prefix, until);
  const old = `${name}_before_${new Date(until).toISOString().slice(0, 10).replaceAll('-', '')}`;
  const { rows: named } = await sql<{ indexname: string }>`
    select indexname from pg_indexes where schemaname = 'passerelle' and tablename = ${name}`.execute(db);
  await run(`alter table passerelle.${name} rename to ${old}`);
  for (const { indexname } of named) await run(`alter index passerelle.${indexname} rename to old_${indexname}`);
  await run(`create table passerelle.${name} (like passerelle.${old} including defaults) partition by range (${key})`);
  for (const statement of indexes) await run(statement);
  await run(`create table passerelle.${name}_rest partition of passerelle.${name} default`);
  // A row with a later id, for example from a process with a wrong clock, does not fit into the partition of the old rows.
  await run(`with moved as (delete from passerelle.${old} where ${key} >= '${bound}' returning *)
    insert into passerelle.${name} select * from moved`);
  const { rows } = await sql<{ some: boolean }>`select exists (select 1 from ${sql.table(`passerelle.${old}`)}) as some`.execute(
    db,
  );
  if (!rows[0]?.some) return void (await run(`drop table passerelle.${old}`));
  await run(`alter table passerelle.${name} attach partition passerelle.${old} for values from (minvalue) to ('${bound}')`);
}
