import { type Kysely, sql } from 'kysely';

/** What an operator did with an open alert: acknowledged, snoozed, assigned. Columns that may be null rewrite no row. */
export const handledAlerts = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw(statement).execute(db);
  },
};

const statement = `alter table passerelle.alerts
  add column acknowledged_at bigint, add column snoozed_until bigint, add column assigned_to text collate "C"`;
