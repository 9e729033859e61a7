import { type Kysely, sql } from 'kysely';

/** What an alert says as a case with its values, for the languages of the console. A new column that may be null rewrites no row. */
export const alertDetails = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('alter table passerelle.alerts add column detail json').execute(db);
  },
};
