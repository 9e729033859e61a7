import type { Cause } from '../../base/causes/cause.ts';
import { boolean, column, integer, json, nullable, oneOf, table, text, time } from './columns.ts';
import type { Partner } from './webhooks.ts';

/** What an alert may be about. `alerts/rules.ts` has the meaning of each. The first three are about an endpoint. */
export const alertRuleNames = [
  'endpoint_failing',
  'endpoint_disabled',
  'dead_letters',
  'queue_down',
  'records_lost',
  'storage',
] as const;
export type AlertRuleName = (typeof alertRuleNames)[number];

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
  endpoint_failing: OfEndpoint;
  /** `gone`: the receiver answered 410. `failing`: after days of failures. `operator`: an operator disabled it. */
  endpoint_disabled: OfEndpoint & { because: 'gone' | 'failing' | 'operator' };
  dead_letters: OfEndpoint & { deliveries: number };
  queue_down: Record<never, never>;
  /** Calls that were served but not recorded, and rows that the ledger misses. */
  records_lost: { calls: number; rows: number };
  /** Both are of the rule `storage`. */
  disk_space: { megabytes: number };
  store_down: Record<never, never>;
}
export type AlertCase = keyof AlertValues;
/**
 * What ended an alert. `stopped`: nothing is sent to its endpoint any more. `answers`: the receiver answers again; `waiting`
 * counts pending deliveries, up to a bound. `cleared`: the rule no longer finds its case.
 */
export const alertEndingCases = ['cleared', 'stopped', 'answers'] as const;
export type AlertEnding = { case: 'cleared' } | { case: 'stopped'; cause: Cause } | { case: 'answers'; waiting: number };
/** `cause`: why the endpoint fails, as of the time when the alert opened. `ending` is set when it is over. */
export type AlertDetail = {
  [C in AlertCase]: { case: C; values: AlertValues[C]; cause?: Cause; ending?: AlertEnding };
}[AlertCase];

/** From the least to the most severe. */
export const alertSeverities = ['warning', 'critical'] as const;
export type AlertSeverity = (typeof alertSeverities)[number];

/** `slack` is an incoming webhook in Slack's format, which Mattermost takes too. */
export const alertChannelKinds = ['email', 'slack'] as const;
export type AlertChannelKind = (typeof alertChannelKinds)[number];

/** What a message says: that an alert began, or that it is over. */
export const alertMessageKinds = ['opened', 'resolved'] as const;
export type AlertMessageKind = (typeof alertMessageKinds)[number];

/** `skipped`: the alert ended before it was sent, or the channel was removed. */
export const alertMessageStatuses = ['pending', 'sent', 'failed', 'skipped'] as const;

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

export const alertTables = {
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
      /** The partner whose endpoint it is about; null if it is about none. */
      about: nullable(column<Partner>('text')),
      rule: column<AlertRuleName>('text'),
      severity: oneOf(alertSeverities),
      /** The id of an endpoint, or `*` for the whole gateway. */
      subject: text,
      /** The rule and the subject while the alert is open, then its id. So a rule and subject have at most one open alert. */
      open_key: text,
      message: text,
      /** The console's page that shows the cause, such as `/endpoints/ep_1`. */
      page: text,
      opened_at: time,
      resolved_at: nullable(time),
      /** The message as a case and its values. */
      detail: json<AlertDetail>(),
    },
    key: ['id'],
    unique: [['open_key']],
    indexes: [
      ['rule', 'id'],
      ['subject', 'id'],
      { on: ['id'], where: 'resolved_at is null' },
      { on: ['about', 'id'], where: 'about is not null' },
      { on: ['resolved_at'], where: 'resolved_at is not null' },
    ],
  }),
  /** The address of a partner, which gets messages after its owner has entered the code that was sent there. */
  partner_alert_addresses: table({
    columns: {
      owner: column<Partner>('text'),
      address: text,
      language: oneOf(alertLanguages),
      /** Null once it was used. */
      code_hash: nullable(text),
      code_expires_at: time,
      /** The number of codes that were tried since the last code was sent. */
      code_attempts: integer,
      confirmed_at: nullable(time),
      created_at: time,
    },
    key: ['owner'],
    indexes: [{ on: ['code_expires_at'], where: 'confirmed_at is null' }],
  }),
  /** One row for each alert, channel and kind: what was sent where. */
  alert_messages: table({
    columns: {
      id: text,
      alert_id: text,
      /** A channel's id, or `adr_` and a partner, such as `adr_user:6`. */
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
