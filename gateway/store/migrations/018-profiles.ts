import { run } from './run.ts';

/**
 * Owners of endpoints, deliveries that only try an endpoint, perimeters of users, and sessions of partners. Endpoints that exist
 * belong to the operator, users see every structure. Columns that may be null or have a default rewrite no row, and a running older version can still insert.
 */
export const profiles = run(
  `alter table passerelle.endpoints add column owner text collate "C" not null default 'operator', add column visible json`,
  `create index endpoints_owner_id on passerelle.endpoints (owner, id) where owner <> 'operator'`,
  `alter table passerelle.deliveries add column test boolean not null default false`,
  `alter table passerelle.users add column structure_ids json`,
  `alter table passerelle.api_keys add column expires_at bigint`,
  `create table passerelle.profile_links (
    id text collate "C" not null,
    secret_hash text collate "C" not null,
    owner text collate "C" not null,
    read_only boolean not null,
    created_by text collate "C" not null,
    created_at bigint not null,
    expires_at bigint not null,
    used_at bigint,
    primary key (id),
    unique (secret_hash)
  )`,
  `create index profile_links_owner_id on passerelle.profile_links (owner, id)`,
  `create index profile_links_expires_at on passerelle.profile_links (expires_at)`,
  `create table passerelle.profile_sessions (
    id_hash text collate "C" not null,
    owner text collate "C" not null,
    credential text collate "C" not null,
    read_only boolean not null,
    created_at bigint not null,
    expires_at bigint not null,
    last_seen_at bigint not null,
    ip text collate "C" not null,
    primary key (id_hash)
  )`,
  `create index profile_sessions_owner on passerelle.profile_sessions (owner)`,
  `create index profile_sessions_expires_at on passerelle.profile_sessions (expires_at)`,
);
