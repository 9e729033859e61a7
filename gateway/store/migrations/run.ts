import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Returns the migration that runs these statements, one after another. */
export const run = (...statements: readonly string[]): Migration => ({
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
});
