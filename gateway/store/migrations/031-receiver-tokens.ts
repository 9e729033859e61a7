import { type Kysely, sql } from 'kysely';

/** Access tokens of endpoints with OAuth2, sealed, for all processes. */
export const receiverTokens = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw(`create table passerelle.receiver_tokens (
        endpoint_id text collate "C" primary key, client text collate "C" not null, sealed text collate "C",
        renew_at bigint, expires_at bigint, failing_since bigint, error text collate "C", retry_at bigint
      )`)
      .execute(db);
  },
};
