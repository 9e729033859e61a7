import { type Kysely, sql } from 'kysely';

/** How long the deliveries of an endpoint are retried, if not for the gateway's schedule. */
export const retryForHours = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('alter table passerelle.endpoints add column retry_for_hours integer').execute(db);
  },
};
