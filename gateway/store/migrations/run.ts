import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** A migration whose statements are known before it runs. */
export interface Statements extends Migration {
  statements: readonly string[];
}

/** Returns the migration that runs these statements, one after another. */
export const run = (...statements: readonly string[]): Statements => ({
  statements,
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
});
