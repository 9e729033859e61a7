import { run } from './run.ts';

/** Alerts to people: changed rules, channels, alerts and their messages. */
export const alerts = run(
  `create table passerelle.alert_rules (
    name text collate "C" not null,
    enabled boolean not null,
    threshold double precision,
    period_minutes integer not null,
    quiet_minutes integer not null,
    severity text collate "C" not null,
    channels json,
    updated_at bigint not null,
    primary key (name)
  )`,
  `create table passerelle.alert_channels (
    id text collate "C" not null,
    kind text collate "C" not null,
    name text collate "C" not null,
    active boolean not null,
    min_severity text collate "C" not null,
    night json,
    settings json not null,
    sealed text collate "C",
    last_answer text collate "C",
    last_sent_at bigint,
    failing_since bigint,
    created_at bigint not null,
    updated_at bigint not null,
    primary key (id)
  )`,
  `create index alert_channels_kind_id on passerelle.alert_channels (kind, id)`,
  `create table passerelle.alerts (
    id text collate "C" not null,
    rule text collate "C" not null,
    severity text collate "C" not null,
    subject text collate "C" not null,
    open_key text collate "C" not null,
    message text collate "C" not null,
    page text collate "C" not null,
    opened_at bigint not null,
    notified_at bigint,
    resolved_at bigint,
    primary key (id),
    unique (open_key)
  )`,
  `create index alerts_rule_id on passerelle.alerts (rule, id)`,
  `create index alerts_subject_id on passerelle.alerts (subject, id)`,
  `create index alerts_open on passerelle.alerts (id) where resolved_at is null`,
  `create index alerts_resolved_at on passerelle.alerts (resolved_at) where resolved_at is not null`,
  `create table passerelle.alert_messages (
    id text collate "C" not null,
    alert_id text collate "C" not null,
    channel_id text collate "C" not null,
    kind text collate "C" not null,
    status text collate "C" not null,
    attempts integer not null,
    answer text collate "C",
    due_at bigint not null,
    created_at bigint not null,
    sent_at bigint,
    primary key (id)
  )`,
  `create index alert_messages_alert_id_id on passerelle.alert_messages (alert_id, id)`,
  `create index alert_messages_pending on passerelle.alert_messages (channel_id, id) where status = 'pending'`,
);
