import { run } from './run.ts';

/** Order by key, and the places that requests of ordered endpoints name. */
export const orderKeys = run(
  `alter table passerelle.endpoints
    add column order_by text not null default 'endpoint',
    add column on_dead_letter text not null default 'skip'`,
  `alter table passerelle.deliveries
    add column order_key text collate "C",
    add column sequence integer,
    add column previous_event_id text collate "C"`,
  'create index deliveries_order_key on passerelle.deliveries (order_key, event_id) where order_key is not null',
  'create index deliveries_blocking on passerelle.deliveries (id) where order_key is not null and attempts > 0',
  `create table passerelle.order_keys (
    name text collate "C" primary key,
    sequence integer not null,
    event_id text collate "C"
  )`,
);
