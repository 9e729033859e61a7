import { type Kysely, sql } from 'kysely';

/** Outages of endpoints, and which deliveries the gateway has sent again by itself. New columns rewrite no row. */
export const outages = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `alter table passerelle.endpoints
    add column auto_recovery boolean not null default true,
    add column outage_since bigint,
    add column outage_over_at bigint`,
  'create index endpoints_outage_over on passerelle.endpoints (id) where outage_over_at is not null',
  'alter table passerelle.deliveries add column recovered_at bigint',
];
