import { type Kysely, sql } from 'kysely';

/** The trace of an event (W3C Trace Context). A new column that may be null rewrites no row. */
export const traces = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('alter table passerelle.events add column traceparent text collate "C"').execute(db);
  },
};
