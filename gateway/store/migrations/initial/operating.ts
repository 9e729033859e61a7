/** The tables of the gateway itself. */
export const operating = [
  `create table passerelle.calls (
    id text collate "C" not null,
    at bigint not null,
    api text collate "C" not null,
    operation text collate "C",
    caller text collate "C",
    ip text collate "C" not null,
    method text collate "C" not null,
    path text collate "C" not null,
    status integer not null,
    duration_ms double precision not null,
    error_code text collate "C",
    limit_state json,
    request_headers json not null,
    request_body text collate "C",
    response_headers json not null,
    response_body text collate "C",
    primary key (id)
  ) partition by range (id)`,
  `create table passerelle.calls_rest partition of passerelle.calls default`,
  `create index calls_operation_id on passerelle.calls (operation, id)`,
  `create index calls_caller_id on passerelle.calls (caller, id)`,
  `create index calls_error_code_id on passerelle.calls (error_code, id) where error_code is not null`,
  `create index calls_refused on passerelle.calls (id) where status >= 400`,
  `create index calls_broken on passerelle.calls (id) where status >= 500`,
  `create table passerelle.operators (
    id text collate "C" not null,
    name text collate "C" not null,
    role text collate "C" not null check (role in ('operator', 'viewer')),
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
  `create table passerelle.audit (
    id text collate "C" not null,
    at bigint not null,
    operator text collate "C",
    action text collate "C" not null,
    ok boolean not null,
    target text collate "C",
    ip text collate "C" not null,
    call_id text collate "C" not null,
    changes json not null,
    more integer not null,
    primary key (id)
  )`,
  `create index audit_operator_id on passerelle.audit (operator, id)`,
  `create index audit_action_id on passerelle.audit (action, id)`,
  `create index audit_target_id on passerelle.audit (target, id) where target is not null`,
  `create table passerelle.verifications (
    id text collate "C" not null,
    created_at bigint not null,
    ok boolean not null,
    interactions integer not null,
    failed integer not null,
    providers json not null,
    primary key (id)
  )`,
  `create table passerelle.verification_reports (
    id text collate "C" not null references passerelle.verifications,
    report json not null,
    primary key (id)
  )`,
  `create table passerelle.leases (
    name text collate "C" not null,
    holder text collate "C" not null,
    generation integer not null,
    expires_at bigint not null,
    primary key (name)
  )`,
  `create table passerelle.processes (
    id text collate "C" not null,
    version text collate "C" not null,
    role text collate "C" not null check (role in ('all', 'api', 'worker')),
    host text collate "C" not null,
    pid integer not null,
    clock_skew_seconds double precision,
    started_at bigint not null,
    seen_at bigint not null,
    primary key (id)
  )`,
  `create table passerelle.facts (
    name text collate "C" not null,
    value text collate "C" not null,
    created_at bigint not null,
    primary key (name)
  )`,
];
