import { type Kysely, sql } from 'kysely';

/** What an endpoint's receiver asks for beside the signature, sealed. A new column rewrites no row. */
export const credentials = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('alter table passerelle.endpoints add column credentials json').execute(db);
  },
};
