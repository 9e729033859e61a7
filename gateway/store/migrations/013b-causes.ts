import { type Kysely, sql } from 'kysely';

/** The call that caused an event. */
export const causes = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table passerelle.events add column caused_by text collate "C"`.execute(db);
    await sql`create index events_caused_by_id on passerelle.events (caused_by, id) where caused_by is not null`.execute(db);
  },
};
