/** The tables of alerts. */
export const alerts = [
  `create table passerelle.alert_channels (
    id text collate "C" not null,
    kind text collate "C" not null check (kind in ('email', 'slack')),
    name text collate "C" not null,
    active boolean not null,
    for_partners boolean not null,
    min_severity text collate "C" not null check (min_severity in ('warning', 'critical')),
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
    about text collate "C",
    rule text collate "C" not null,
    severity text collate "C" not null check (severity in ('warning', 'critical')),
    subject text collate "C" not null,
    open_key text collate "C" not null,
    message text collate "C" not null,
    page text collate "C" not null,
    opened_at bigint not null,
    resolved_at bigint,
    detail json not null,
    primary key (id),
    unique (open_key)
  )`,
  `create index alerts_rule_id on passerelle.alerts (rule, id)`,
  `create index alerts_subject_id on passerelle.alerts (subject, id)`,
  `create index alerts_open on passerelle.alerts (id) where resolved_at is null`,
  `create index alerts_about_id on passerelle.alerts (about, id) where about is not null`,
  `create index alerts_resolved_at on passerelle.alerts (resolved_at) where resolved_at is not null`,
  `create table passerelle.partner_alert_addresses (
    owner text collate "C" not null,
    address text collate "C" not null,
    language text collate "C" not null check (language in ('en', 'fr')),
    code_hash text collate "C",
    code_expires_at bigint not null,
    code_attempts integer not null,
    confirmed_at bigint,
    created_at bigint not null,
    primary key (owner)
  )`,
  `create index partner_alert_addresses_unconfirmed on passerelle.partner_alert_addresses (code_expires_at)
    where confirmed_at is null`,
  `create table passerelle.alert_messages (
    id text collate "C" not null,
    alert_id text collate "C" not null,
    channel_id text collate "C" not null,
    kind text collate "C" not null check (kind in ('opened', 'resolved')),
    status text collate "C" not null check (status in ('pending', 'sent', 'failed', 'skipped')),
    attempts integer not null,
    answer text collate "C",
    due_at bigint not null,
    created_at bigint not null,
    sent_at bigint,
    primary key (id)
  )`,
  `create index alert_messages_alert_id_id on passerelle.alert_messages (alert_id, id)`,
  `create index alert_messages_pending on passerelle.alert_messages (channel_id, id)
    where status = 'pending'`,
];
