import { type Kysely, sql } from 'kysely';

/**
 * The position of an event is its transaction's number (`xid8`). A constant default rewrites no row: events of before have 0, as
 * all of them are committed. Numbers begin again in another cluster, so `position_base` is raised there (`sql/origin.ts`).
 */
export const eventPositions = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create function passerelle.position_base() returns bigint language sql immutable parallel safe as 'select 0::bigint'`,
  'alter table passerelle.events add column position bigint not null default 0',
  `alter table passerelle.events alter column position
    set default passerelle.position_base() + pg_current_xact_id()::text::bigint`,
  'create index events_position_id on passerelle.events (position, id)',
];
