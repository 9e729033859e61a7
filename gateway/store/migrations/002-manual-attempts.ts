import { type Kysely, sql } from 'kysely';

/** Marks attempts that an operator asked for. */
export const manualAttempts = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table passerelle.attempts add column manual boolean not null default false`.execute(db);
  },
};
