import { type Kysely, sql } from 'kysely';

/**
 * Order by key. What waits at an ordered endpoint gets its key, so that it keeps its order. `head_delivery_id` stays for processes
 * of the version before, which run during an upgrade.
 */
export const orderKeys = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `alter table passerelle.endpoints add column order_by text not null default 'endpoint'`,
  `alter table passerelle.deliveries
    add column order_key text collate "C",
    add column sequence integer,
    add column previous_event_id text collate "C"`,
  `update passerelle.deliveries as waiting set order_key = endpoint_id from passerelle.endpoints as endpoint
    where endpoint.id = waiting.endpoint_id and endpoint.ordered and waiting.status = 'pending'`,
  'create index deliveries_order_key on passerelle.deliveries (order_key, event_id) where order_key is not null',
  `create table passerelle.order_keys (
    name text collate "C" primary key,
    sequence integer not null,
    event_id text collate "C"
  )`,
];
