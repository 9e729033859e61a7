import { type Kysely, sql } from 'kysely';

/** When a token server gave an access token, and when it last failed. */
export const tokenTimes = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  'alter table passerelle.receiver_tokens add column got_at bigint, add column failed_at bigint',
  'create index receiver_tokens_failing on passerelle.receiver_tokens (failing_since) where failing_since is not null',
];
