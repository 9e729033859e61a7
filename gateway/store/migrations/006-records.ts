import { run } from './run.ts';

/** Indexes for the filters of calls, deliveries and events, and tables of published verifications. */
export const records = run(
  `create index calls_ip_id on passerelle.calls (ip, id)`,
  `create index calls_error_code_id on passerelle.calls (error_code, id) where error_code is not null`,
  `create index calls_refused on passerelle.calls (id) where status >= 400`,
  `create index calls_broken on passerelle.calls (id) where status >= 500`,
  `create index deliveries_failed_type_id on passerelle.deliveries (event_type, id) where status = 'failed'`,
  `create index events_subject_id on passerelle.events (subject, id) where subject is not null`,
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
    id text collate "C" not null,
    report json not null,
    primary key (id)
  )`,
);
