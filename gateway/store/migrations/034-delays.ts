import { type Kysely, sql } from 'kysely';

/** What deliveries waited for, and when they arrived. New columns without a default rewrite no row. */
export const delays = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('alter table passerelle.deliveries add column delays json, add column delivered_at bigint').execute(db);
  },
};
