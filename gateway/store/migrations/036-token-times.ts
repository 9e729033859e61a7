import { type Kysely, sql } from 'kysely';

/** When a token server gave an access token, when it last failed, and the attempts whose first token was refused. */
export const tokenTimes = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  'alter table passerelle.receiver_tokens add column got_at bigint, add column failed_at bigint',
  'alter table passerelle.attempts add column asked_again boolean not null default false',
  'create index receiver_tokens_failing on passerelle.receiver_tokens (failing_since) where failing_since is not null',
];
