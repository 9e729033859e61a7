import { run } from './run.ts';

/**
 * Alerts to partners: whose an alert is, where and how a partner is told, and what was announced already. Columns that may be null
 * or have a default rewrite no row, and a running older version can still insert.
 */
export const partnerAlerts = run(
  `alter table passerelle.alert_channels add column for_partners boolean not null default false`,
  `alter table passerelle.alerts add column owner text collate "C"`,
  `create index alerts_owner_id on passerelle.alerts (owner, id) where owner is not null`,
  `create index alerts_open_owned on passerelle.alerts (id) where resolved_at is null and owner is not null`,
  `alter table passerelle.tokens add column expiry_warnings integer not null default 0`,
  `create index tokens_expiring on passerelle.tokens (expiry_warnings, expires_at) where expires_at is not null and revoked_at is null`,
  `alter table passerelle.api_keys add column expiry_warnings integer not null default 0`,
  `create index api_keys_expiring on passerelle.api_keys (expiry_warnings, expires_at) where expires_at is not null and revoked_at is null`,
  `alter table passerelle.endpoints add column rotation_alert_at bigint`,
  `create index endpoints_rotation_alert_at on passerelle.endpoints (rotation_alert_at) where rotation_alert_at is not null`,
  `create index endpoints_owned_held on passerelle.endpoints (id) where owner <> 'operator' and held_until is not null`,
  `create index endpoints_owned_inactive on passerelle.endpoints (id) where owner <> 'operator' and not active and deleted_at is null`,
  `create table passerelle.partner_alert_settings (
    owner text collate "C" not null,
    language text collate "C" not null,
    off json not null,
    updated_at bigint not null,
    primary key (owner)
  )`,
  `create table passerelle.partner_alert_addresses (
    id text collate "C" not null,
    owner text collate "C" not null,
    address text collate "C" not null,
    code_hash text collate "C",
    code_expires_at bigint not null,
    code_attempts integer not null,
    confirmed_at bigint,
    created_at bigint not null,
    primary key (id),
    unique (owner, address)
  )`,
  `create index partner_alert_addresses_unconfirmed on passerelle.partner_alert_addresses (code_expires_at) where confirmed_at is null`,
);
