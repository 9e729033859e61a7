import { type Kysely, sql } from 'kysely';

/** When to say that the new secret of an endpoint is not confirmed. */
export const rotation = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table passerelle.endpoints add column rotation_notice_at bigint`.execute(db);
    await sql`create index endpoints_rotation_notice_at on passerelle.endpoints (rotation_notice_at)
      where rotation_notice_at is not null`.execute(db);
  },
};
