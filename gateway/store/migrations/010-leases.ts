import { run } from './run.ts';

/** Leases of work that one process at a time does, and the order of events for ordered endpoints. */
export const leases = run(
  `create table passerelle.leases (
    name text collate "C" not null,
    holder text collate "C" not null,
    generation integer not null,
    expires_at bigint not null,
    primary key (name)
  )`,
  `create table passerelle.event_order (
    name text collate "C" not null,
    last_id text collate "C" not null,
    primary key (name)
  )`,
  `create index endpoints_ordered on passerelle.endpoints (id) where ordered`,
);
