import { boolean, column, integer, json, nullable, real, table, text, time } from './columns.ts';

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

/** From the least to the most severe. */
export const alertSeverities = ['info', 'warning', 'critical'] as const;
export type AlertSeverity = (typeof alertSeverities)[number];

/** `slack` is an incoming webhook in Slack's format, which Mattermost takes too. */
export const alertChannelKinds = ['email', 'slack'] as const;
export type AlertChannelKind = (typeof alertChannelKinds)[number];

/** What a message tells: that an alert began, or that it is over. */
export const alertMessageKinds = ['opened', 'resolved'] as const;
export type AlertMessageKind = (typeof alertMessageKinds)[number];

/** `skipped`: the alert was over before the night was, or the channel was removed. */
export const alertMessageStatuses = ['pending', 'sent', 'failed', 'skipped'] as const;
export type AlertMessageStatus = (typeof alertMessageStatuses)[number];

/** `starttls` requires the upgrade to TLS. `none` is plain text. */
export const smtpSecurities = ['tls', 'starttls', 'none'] as const;

/** Settings of a channel that are no secret. */
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

/** When a channel gets only what is critical: from and to are times of the day in the zone, such as 22:00. */
export interface NightHours {
  from: string;
  to: string;
  time_zone: string;
}

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
      severity: column<AlertSeverity>('text'),
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
      kind: column<AlertChannelKind>('text'),
      name: text,
      active: boolean,
      min_severity: column<AlertSeverity>('text'),
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
      rule: column<AlertRuleName>('text'),
      severity: column<AlertSeverity>('text'),
      /** An endpoint's or caller's id, or `*` for the whole gateway. */
      subject: text,
      /** The rule and the subject while the alert is open, then its id: there is one open alert of a rule and subject. */
      open_key: text,
      message: text,
      /** The console's page that shows the cause, such as `/endpoints/ep_1`. */
      page: text,
      opened_at: time,
      /** When its messages were made; null within the quiet time of the alert before it, and without a channel. */
      notified_at: nullable(time),
      resolved_at: nullable(time),
    },
    key: ['id'],
    unique: [['open_key']],
    indexes: [
      ['rule', 'id'],
      ['subject', 'id'],
      { on: ['id'], where: 'resolved_at is null' },
      { on: ['resolved_at'], where: 'resolved_at is not null' },
    ],
  }),
  /** One row for each alert, channel and kind: what was sent where. */
  alert_messages: table({
    columns: {
      id: text,
      alert_id: text,
      channel_id: text,
      kind: column<AlertMessageKind>('text'),
      status: column<AlertMessageStatus>('text'),
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
