import { run } from './run.ts';

/** Lanes, health and limits of endpoints, subscriptions, resumable fan-out, notices and recoveries. */
export const lanes = run(
  `alter table passerelle.endpoints
    add column max_in_flight integer,
    add column max_per_second double precision,
    add column ordered boolean not null default false,
    add column head_delivery_id text collate "C",
    add column held_until bigint,
    add column held_because text collate "C",
    add column holds integer not null default 0,
    add column failing_since bigint`,
  `create table passerelle.subscriptions (
    service text collate "C" not null,
    event_type text collate "C" not null,
    subject text collate "C" not null,
    endpoint_id text collate "C" not null,
    primary key (service, event_type, subject, endpoint_id)
  )`,
  `create index subscriptions_endpoint_id on passerelle.subscriptions (endpoint_id)`,
  `insert into passerelle.subscriptions
    select service, event_type, subject, id
    from passerelle.endpoints,
      json_array_elements_text(coalesce(events, '["*"]')) as event_type,
      json_array_elements_text(coalesce(perimeter, '["*"]')) as subject
    where deleted_at is null and (perimeter is null or subject <> '*')`,
  `alter table passerelle.events add column fanout_after text collate "C"`,
  `drop index passerelle.events_fanned_out_at_id`,
  `create index events_owed on passerelle.events (id) where fanned_out_at is null`,
  `alter table passerelle.deliveries
    add column response_status integer,
    add column parked boolean not null default false`,
  `drop index passerelle.deliveries_status_next_attempt_at`,
  `create index deliveries_due on passerelle.deliveries (next_attempt_at, id) where status = 'pending' and not parked`,
  `create index deliveries_parked on passerelle.deliveries (endpoint_id, event_id) where parked`,
  `create index deliveries_reason_id on passerelle.deliveries (reason, id) where reason is not null`,
  `create index deliveries_response_status_id on passerelle.deliveries (response_status, id) where response_status >= 300`,
  `drop index passerelle.attempts_endpoint_id_id`,
  `create table passerelle.notices (
    id text collate "C" not null,
    kind text collate "C" not null,
    endpoint_id text collate "C" not null,
    message text collate "C" not null,
    created_at bigint not null,
    primary key (id)
  )`,
  `create index notices_endpoint_id_id on passerelle.notices (endpoint_id, id)`,
  `create table passerelle.recoveries (
    id text collate "C" not null,
    status text collate "C" not null,
    filter json not null,
    pace integer not null,
    total integer not null,
    done integer not null,
    position text collate "C",
    created_at bigint not null,
    updated_at bigint not null,
    ended_at bigint,
    primary key (id)
  )`,
  `create index recoveries_status_id on passerelle.recoveries (status, id)`,
  `create table passerelle.recovery_items (
    recovery_id text collate "C" not null,
    delivery_id text collate "C" not null,
    result text collate "C" not null,
    attempts_before integer not null,
    at bigint not null,
    primary key (recovery_id, delivery_id)
  )`,
  `create index recovery_items_queued on passerelle.recovery_items (delivery_id) where result = 'queued'`,
);
