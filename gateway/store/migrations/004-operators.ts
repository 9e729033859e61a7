import { run } from './run.ts';

/** Named operators of the manage API, and sessions of the console. */
export const operators = run(
  `create table passerelle.operators (
    id text collate "C" not null,
    name text collate "C" not null,
    role text collate "C" not null,
    secret_hash text collate "C" not null,
    active boolean not null,
    created_at bigint not null,
    last_used_at bigint,
    primary key (id),
    unique (name),
    unique (secret_hash)
  )`,
  `create table passerelle.sessions (
    id_hash text collate "C" not null,
    operator_id text collate "C",
    token_fingerprint text collate "C",
    created_at bigint not null,
    expires_at bigint not null,
    last_seen_at bigint not null,
    ip text collate "C" not null,
    primary key (id_hash)
  )`,
  `create index sessions_operator_id on passerelle.sessions (operator_id)`,
  `create index sessions_expires_at on passerelle.sessions (expires_at)`,
);
