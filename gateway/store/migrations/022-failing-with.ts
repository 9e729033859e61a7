import { type Kysely, sql } from 'kysely';

/** How the attempts at an endpoint have failed since its last success, so that its row alone tells why nothing arrives. */
export const failingWith = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('alter table passerelle.endpoints add column failing_with json').execute(db);
  },
};
