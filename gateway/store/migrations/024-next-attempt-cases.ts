import { type Kysely, sql } from 'kysely';

/** Why the next attempt is made when it is, as a case with its values. Older rows keep their sentence. A new column rewrites no row. */
export const nextAttemptCases = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('alter table passerelle.attempts add column next_attempt_case json').execute(db);
  },
};
