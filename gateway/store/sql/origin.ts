import { type Kysely, sql } from 'kysely';
import { definePositionBase, stride } from '../migrations/position-base.ts';
import { schemaName } from './conditions.ts';
import { translated } from './errors.ts';

const functionName = `${schemaName}.position_base()`;

/** The cluster that the database is in. */
const current = sql<string>`(select system_identifier::text from pg_control_system())`;
const noted = sql<string | null>`obj_description(${functionName}::regprocedure, 'pg_proc')`;

interface Origin {
  noted: string | null;
  current: string;
}

/**
 * Lets new events have positions after all that are stored. Transactions are numbered by cluster: after a dump is restored into
 * another one, the numbers of new ones may be lower than stored ones, and readers would never see them.
 */
export async function continuePositions(db: Kysely<unknown>): Promise<void> {
  const origin = async (on: Kysely<unknown>) => {
    const { rows } = await sql<Origin>`select ${noted} as noted, ${current} as current`.execute(on);
    return rows[0] as Origin;
  };
  const isSame = (one: Origin) => one.noted === one.current;
  await translated('events', async () => {
    if (isSame(await origin(db))) return;
    await db.transaction().execute(async (tx) => {
      // The lock keeps new events from getting an old position meanwhile, and lets only one process do this.
      await sql.raw(`lock table ${schemaName}.events in share row exclusive mode`).execute(tx);
      const before = await origin(tx);
      if (isSame(before)) return;
      if (before.noted !== null) await sql.raw(definePositionBase(afterAll)).execute(tx);
      await sql.raw(`comment on function ${functionName} is '${before.current}'`).execute(tx);
    });
  });
}

const afterAll = `(select (greatest(coalesce(max(position), 0), ${functionName}) / ${stride} + 1) * ${stride} from ${schemaName}.events)`;
