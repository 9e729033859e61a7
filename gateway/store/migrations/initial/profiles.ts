/** How partners sign in. */
export const profiles = [
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
];
