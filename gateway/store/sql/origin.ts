import { type Kysely, sql } from 'kysely';
import { schemaName } from './conditions.ts';
import { translated } from './errors.ts';

/** So many transactions of one cluster have positions of their own. */
const stride = 1_000_000_000_000;

const functionName = `${schemaName}.position_base()`;

/** The cluster that the database is in. A recovery to a point in time and a failover begin a new timeline of it. */
const current = sql<string>`(select system_identifier || '/' || timeline_id from pg_control_system(), pg_control_checkpoint())`;
const noted = sql<string | null>`obj_description(${functionName}::regprocedure, 'pg_proc')`;

interface Origin {
  noted: string | null;
  current: string;
}

/**
 * Lets new events have positions after all that are stored. Transactions are numbered by cluster: after a dump is restored into
 * another one, or transactions were lost, the numbers of new ones are lower than stored ones, and readers would never see them.
 */
export async function continuePositions(db: Kysely<unknown>): Promise<void> {
  const isSame = async (on: Kysely<unknown>) => {
    const { rows } = await sql<Origin>`select ${noted} as noted, ${current} as current`.execute(on);
    return rows[0]?.noted === rows[0]?.current;
  };
  await translated('events', async () => {
    if (await isSame(db)) return;
    await db.transaction().execute(async (tx) => {
      // No event gets a position of before meanwhile, and one process does this.
      await sql.raw(`lock table ${schemaName}.events in share row exclusive mode`).execute(tx);
      if (await isSame(tx)) return;
      await sql.raw(raise).execute(tx);
    });
  });
}

/** The first start only notes the cluster. */
const raise = `do $$
declare
  known text := obj_description('${functionName}'::regprocedure, 'pg_proc');
  origin text := (select system_identifier || '/' || timeline_id from pg_control_system(), pg_control_checkpoint());
  last bigint := (select coalesce(max(position), 0) from ${schemaName}.events);
begin
  if known is not null then
    execute format('create or replace function ${functionName} returns bigint language sql immutable parallel safe as %L',
      format('select %s::bigint', (greatest(last, ${schemaName}.position_base()) / ${stride} + 1) * ${stride}));
  end if;
  execute format('comment on function ${functionName} is %L', origin);
end $$`;
