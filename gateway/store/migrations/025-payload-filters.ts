import { type Kysely, sql } from 'kysely';

/** Filters on the payload of events, and how many endpoints an event did not reach because of them. New columns rewrite no row. */
export const payloadFilters = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('alter table passerelle.endpoints add column filter text').execute(db);
    await sql.raw('alter table passerelle.events add column filtered integer').execute(db);
  },
};
