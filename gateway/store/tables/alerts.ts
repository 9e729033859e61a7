import type { Cause } from '../../base/causes/cause.ts';
import { boolean, column, integer, json, nullable, oneOf, real, table, text, time } from './columns.ts';
import type { Partner } from './webhooks.ts';

/** What an alert may be about. `alerts/rules.ts` has the meaning, the defaults and the bounds of each. */
export const alertRuleNames = [
  'endpoint_failing',
  'endpoint_held',
  'dead_letters',
  'limit_refusals',
  'ledger_unbalanced',
  'calls_not_recorded',
  'disk_space',
  'queue_down',
  'store_down',
] as const;
export type AlertRuleName = (typeof alertRuleNames)[number];

/**
 * Alerts that partners get about their own endpoints and credentials. `alerts/partners/` finds them, by rules that nobody can
 * change.
 */
const toldToBoth = [
  'own_endpoint_held',
  'own_endpoint_disabled',
  'own_token_expires',
  'own_key_expires',
  'own_secret_expires',
] as const;
/** Only the profile shows these, because consumers of the released manage API do not know these names. */
const toldToPartners = ['own_deliveries_blocked', 'source_address_changes'] as const;
export const partnerAlertNames = [...toldToBoth, ...toldToPartners] as const;
export type PartnerAlertName = (typeof partnerAlertNames)[number];
export const operatorsAlertNames = [...alertRuleNames, ...toldToBoth] as const;
export type OperatorsAlertName = (typeof operatorsAlertNames)[number];

/** The kinds of messages that a partner can switch off. */
export const partnerAlertKinds = [
  'endpoint_held',
  'endpoint_disabled',
  'endpoint_recovered',
  'deliveries_blocked',
  'credential_expires',
  'secret_expires',
  'source_address_changes',
] as const;
export type PartnerAlertKind = (typeof partnerAlertKinds)[number];

/** The languages of messages to partners. */
export const alertLanguages = ['en', 'fr'] as const;
export type AlertLanguage = (typeof alertLanguages)[number];

/** An alert about an endpoint. It names only the endpoint's host, because the rest of a URL may hold a secret. */
interface OfEndpoint {
  endpoint: string;
  host: string;
  /** May be empty. */
  description: string;
}

/** What an alert can say, with the values of each case. `alerts/cases.ts` has the texts. */
export interface AlertValues {
  endpoint_failing: OfEndpoint & { failed: number; attempts: number; minutes: number };
  endpoint_held: OfEndpoint & { holds: number };
  endpoint_gone: OfEndpoint;
  endpoint_disabled: OfEndpoint;
  dead_letters: OfEndpoint & { deliveries: number; minutes: number };
  /** The name may be empty. */
  limit_refusals: { caller: string; name: string; calls: number; minutes: number };
  ledger_unbalanced: { missing: number; surplus: number };
  calls_not_recorded: { calls: number; minutes: number };
  disk_space: { megabytes: number };
  own_endpoint_held: OfEndpoint;
  /** `gone`: the receiver answered 410. `failing`: after days of failures. `operator`: an operator disabled it. */
  own_endpoint_disabled: OfEndpoint & { because: 'gone' | 'failing' | 'operator' };
  own_deliveries_blocked: OfEndpoint;
  /** Times are texts, ISO 8601 in UTC. */
  own_token_expires: { token: string; name: string; at: string };
  own_key_expires: { key: string; at: string };
  own_secret_expires: OfEndpoint & { at: string };
  source_address_changes: { address: string; change: 'begins' | 'ends'; at: string };
  /** `status`: the proxy's last answer; 0 if it did not answer. */
  proxy_failing: { status: number };
  /** The number of first attempts that began late because of the gateway. */
  deliveries_late: { late: number; attempts: number; hours: number };
  queue_down: Record<never, never>;
  store_down: Record<never, never>;
}
export type AlertCase = keyof AlertValues;
/**
 * What ended an alert. `stopped`: nothing is sent to its endpoint any more. `answers`: the receiver answers again; `waiting`
 * counts pending deliveries, up to a bound. `cleared`: the rule no longer finds its case.
 */
export const alertEndingCases = ['rule_off', 'cleared', 'stopped', 'answers'] as const;
export type AlertEnding =
  | { case: 'rule_off' | 'cleared' }
  | { case: 'stopped'; cause: Cause }
  | { case: 'answers'; waiting: number };
/** `cause`: why the endpoint fails, as of the time when the alert opened. `ending` is set when it is over. */
export type AlertDetail = {
  [C in AlertCase]: { case: C; values: AlertValues[C]; cause?: Cause; ending?: AlertEnding };
}[AlertCase];

/** From the least to the most severe. */
export const alertSeverities = ['info', 'warning', 'critical'] as const;
export type AlertSeverity = (typeof alertSeverities)[number];

/** `slack` is an incoming webhook in Slack's format, which Mattermost takes too. */
export const alertChannelKinds = ['email', 'slack'] as const;
export type AlertChannelKind = (typeof alertChannelKinds)[number];

/** What a message says: that an alert began, or that it is over. */
export const alertMessageKinds = ['opened', 'resolved'] as const;
export type AlertMessageKind = (typeof alertMessageKinds)[number];

/** `skipped`: the alert ended before the night did, or the channel was removed. */
export const alertMessageStatuses = ['pending', 'sent', 'failed', 'skipped'] as const;
export type AlertMessageStatus = (typeof alertMessageStatuses)[number];

/** `starttls` requires the upgrade to TLS. `none` is plain text. */
export const smtpSecurities = ['tls', 'starttls', 'none'] as const;

/** Settings of a channel that are not secret. */
export interface EmailSettings {
  host: string;
  port: number;
  security: (typeof smtpSecurities)[number];
  username: string | null;
  from: string;
  to: string[];
}
export interface SlackSettings {
  /** The host of the webhook's URL. The rest of the URL is a secret. */
  host: string;
}

/** The hours in which a channel gets only critical alerts. `from` and `to` are times of day in the zone, such as 22:00. */
export interface NightHours {
  from: string;
  to: string;
  time_zone: string;
}

/** The initial values of the columns that record what operators do with an alert. */
export const unhandled = { acknowledged_at: null, snoozed_until: null, assigned_to: null } as const;

/** True until the snooze of an alert ends. No process writes that it has ended. */
export const isSnoozed = ({ snoozed_until: until }: { snoozed_until: number | null }, nowMs: number): boolean =>
  until !== null && until > nowMs;

export const alertTables = {
  /** Rules that an operator has changed. The others have their defaults. */
  alert_rules: table({
    columns: {
      name: column<AlertRuleName>('text'),
      enabled: boolean,
      /** Null for a rule that needs none. */
      threshold: nullable(real),
      period_minutes: integer,
      quiet_minutes: integer,
      severity: oneOf(alertSeverities),
      /** Ids of channels; null means every channel that takes the severity. */
      channels: nullable(json<string[]>()),
      updated_at: time,
    },
    key: ['name'],
  }),
  /** Where alerts are sent. */
  alert_channels: table({
    columns: {
      id: text,
      kind: oneOf(alertChannelKinds),
      name: text,
      active: boolean,
      /** Its server also sends the alerts of partners. */
      for_partners: boolean,
      min_severity: oneOf(alertSeverities),
      night: nullable(json<NightHours>()),
      settings: json<EmailSettings | SlackSettings>(),
      /** The encrypted password or URL; null if there is none. */
      sealed: nullable(text),
      /** The last server's answer, or why there was none. */
      last_answer: nullable(text),
      last_sent_at: nullable(time),
      /** The first failure since the last message that was accepted. */
      failing_since: nullable(time),
      created_at: time,
      updated_at: time,
    },
    key: ['id'],
    indexes: [['kind', 'id']],
  }),
  alerts: table({
    columns: {
      id: text,
      /** The partner whose alert it is; null for an alert of the operator. */
      owner: nullable(column<Partner>('text')),
      /** The partner whom it concerns: its owner, or the owner of the endpoint that an alert of the operator is about. */
      about: nullable(column<Partner>('text')),
      rule: column<AlertRuleName | PartnerAlertName>('text'),
      severity: oneOf(alertSeverities),
      /** The id of an endpoint, caller or credential, or `*` for the whole gateway. */
      subject: text,
      /** The rule and the subject while the alert is open, then its id. So a rule and subject have at most one open alert. */
      open_key: text,
      message: text,
      /** The console's page that shows the cause, such as `/endpoints/ep_1`. */
      page: text,
      opened_at: time,
      /** When its messages were created. Null within the quiet time of the alert before it, and if there is no channel. */
      notified_at: nullable(time),
      resolved_at: nullable(time),
      /** The message as a case and its values. */
      detail: json<AlertDetail>(),
      /** When an operator acknowledged it. After that, no message about it is sent before it is over. */
      acknowledged_at: nullable(time),
      /** Until then, no message about it is sent, and the headline does not count it. Never set together with `acknowledged_at`. */
      snoozed_until: nullable(time),
      /** The name of the operator who has it. */
      assigned_to: nullable(text),
    },
    key: ['id'],
    unique: [['open_key']],
    indexes: [
      ['rule', 'id'],
      ['subject', 'id'],
      { on: ['id'], where: 'resolved_at is null' },
      { on: ['id'], where: 'resolved_at is null and owner is not null' },
      { on: ['owner', 'id'], where: 'owner is not null' },
      { on: ['about', 'id'], where: 'about is not null' },
      { on: ['resolved_at'], where: 'resolved_at is not null' },
    ],
  }),
  /** What a partner has set. Without a row: English, and every kind is on. */
  partner_alert_settings: table({
    columns: {
      owner: column<Partner>('text'),
      language: oneOf(alertLanguages),
      off: json<(PartnerAlertKind | 'own_address')[]>(),
      updated_at: time,
    },
    key: ['owner'],
  }),
  /** Addresses that a partner added. An address gets messages after its owner has entered the code that was sent there. */
  partner_alert_addresses: table({
    columns: {
      id: text,
      owner: column<Partner>('text'),
      address: text,
      /** Null once it was used. */
      code_hash: nullable(text),
      code_expires_at: time,
      /** The number of codes that were tried since the last code was sent. */
      code_attempts: integer,
      confirmed_at: nullable(time),
      created_at: time,
    },
    key: ['id'],
    unique: [['owner', 'address']],
    indexes: [{ on: ['code_expires_at'], where: 'confirmed_at is null' }],
  }),
  /** One row for each alert, channel and kind: what was sent where. */
  alert_messages: table({
    columns: {
      id: text,
      alert_id: text,
      /** A channel's id, or that of a partner's address: `adr_...`, or `adr_user:6` for the user's own. */
      channel_id: text,
      kind: oneOf(alertMessageKinds),
      status: oneOf(alertMessageStatuses),
      attempts: integer,
      /** The server's answer to the last attempt, or why there was none. */
      answer: nullable(text),
      /** When the next attempt is due. */
      due_at: time,
      created_at: time,
      sent_at: nullable(time),
    },
    key: ['id'],
    indexes: [['alert_id', 'id'], { on: ['channel_id', 'id'], where: "status = 'pending'" }],
  }),
} as const;
