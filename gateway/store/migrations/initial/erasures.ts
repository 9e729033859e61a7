/** Erasures of what is kept about a person. */
export const erasures = [
  `create table passerelle.erasures (
    id text collate "C" not null,
    status text collate "C" not null check (status in ('running', 'done')),
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
  `create index erasures_running on passerelle.erasures (id) where status = 'running'`,
  `create table passerelle.erasure_receivers (
    erasure_id text collate "C" not null,
    endpoint_id text collate "C" not null,
    delivered integer not null,
    attempted integer not null,
    primary key (erasure_id, endpoint_id)
  )`,
];
