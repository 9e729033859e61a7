import { run } from './run.ts';

/** Erasures of what is kept about a person. The new column rewrites no row. */
export const erasures = run(
  `create table passerelle.erasures (
    id text collate "C" not null,
    status text collate "C" not null,
    dry_run boolean not null,
    target json not null,
    number_secret text collate "C",
    stage text collate "C" not null,
    position json,
    settled_at bigint,
    found json not null,
    created_at bigint not null,
    updated_at bigint not null,
    ended_at bigint,
    primary key (id)
  )`,
  "create index erasures_running on passerelle.erasures (id) where status = 'running'",
  `create table passerelle.erasure_receivers (
    erasure_id text collate "C" not null,
    endpoint_id text collate "C" not null,
    delivered integer not null,
    attempted integer not null,
    primary key (erasure_id, endpoint_id)
  )`,
  'alter table passerelle.events add column erased_by text collate "C"',
  'create index events_erased on passerelle.events (erased_by, id) where erased_by is not null',
);
