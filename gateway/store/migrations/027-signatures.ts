import { type Kysely, sql } from 'kysely';

/** How an endpoint's deliveries are signed. A new column with a default rewrites no row. */
export const signatures = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw(`alter table passerelle.endpoints add column signatures text collate "C" not null default 'v1'`).execute(db);
  },
};
