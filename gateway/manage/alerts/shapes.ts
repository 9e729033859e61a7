import { z } from 'zod';
import { alertCases, endingText } from '../../alerts/cases.ts';
import { isHost } from '../../alerts/channels.ts';
import { changeOf, instant, named, text, toInstant, toInstantOrNull, withInstants } from '../../http/fields.ts';
import {
  alertChannelKinds,
  alertEndingCases,
  alertMessageKinds,
  alertMessageStatuses,
  alertRuleNames,
  alertSeverities,
  type EmailSettings,
  smtpSecurities,
} from '../../store/tables/alerts.ts';
import type { Row } from '../../store/tables/index.ts';
import type { Owner } from '../../store/tables/webhooks.ts';
import type { NamedOwner } from '../partners.ts';
import { causeView, viewCause } from '../webhooks/causes.ts';
import { ownerView } from '../webhooks/views.ts';

const severityField = () => z.enum(alertSeverities);
const common = {
  name: text(80),
  active: z.boolean(),
  min_severity: severityField().describe('It gets alerts of this severity and above.'),
};

/** One address, without a name. */
const email = z.email('must be an e-mail address, such as awa@example.org').max(254);
const emailFields = {
  host: z.string().refine(isHost, { message: 'must be a host name or an IP address', params: { rule: 'host' } }),
  port: z.int().min(1).max(65_535),
  security: z.enum(smtpSecurities).describe('`starttls` requires the upgrade. `none` is plain text.'),
  username: text(200).nullable(),
  password: z.string().min(1).max(500).nullable().describe('Never returned.'),
  from: email.describe('The address that messages come from.'),
  for_partners: z
    .boolean()
    .describe(
      'Its server, login and `from` also send the alerts of partners. One channel at most: it takes the place of the one before.',
    ),
  to: z.array(email).min(1, 'must contain at least one address').max(20),
};
const slackFields = {
  credential: text(2000)
    .describe('The whole URL of the incoming webhook. Who knows it can post, so it is never returned.')
    .meta({ example: 'https://hooks.example.com/services/T0/B0/x' }),
};

const defaults = {
  active: common.active.default(true),
  min_severity: common.min_severity.default('warning'),
};
const optional = {
  username: emailFields.username.default(null),
  password: emailFields.password.default(null),
  for_partners: emailFields.for_partners.default(false),
};

export const channelCreation = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('email'), ...common, ...defaults, ...emailFields, ...optional }),
  z.strictObject({ kind: z.literal('slack'), ...common, ...defaults, ...slackFields }),
]);

export const channelPatch = changeOf({ ...common, ...emailFields, ...slackFields });

export const channelView = named('AlertChannel', {
  id: z.string(),
  kind: z.enum(alertChannelKinds),
  name: z.string(),
  active: z.boolean(),
  for_partners: z.boolean().describe('True if its server also sends the alerts of partners.'),
  min_severity: severityField(),
  host: z.string().describe("The mail server, or the host of the webhook's URL."),
  port: z.int().nullable(),
  security: z.enum(smtpSecurities).nullable(),
  username: z.string().nullable(),
  from: z.string().nullable(),
  to: z.array(z.string()),
  has_secret: z.boolean().describe('True if a password or URL is stored.'),
  last_answer: z.string().nullable().describe("The server's last answer, or why there was none."),
  last_sent_at: instant().nullable(),
  failing_since: instant().nullable().describe('The first failure since the last message that was accepted.'),
  created_at: instant(),
  updated_at: instant(),
});

const noEmail = { port: null, security: null, username: null, from: null, to: [] };

export function viewChannel({ settings, sealed, ...channel }: Row<'alert_channels'>): z.input<typeof channelView> {
  const own = channel.kind === 'email' ? (settings as EmailSettings) : { ...noEmail, host: settings.host };
  return {
    ...withInstants(channel, 'last_sent_at', 'failing_since', 'created_at', 'updated_at'),
    ...own,
    has_secret: sealed !== null,
  };
}

export const answerView = z.object({
  ok: z.boolean(),
  answer: z.string().describe("The server's own words, or why there are none."),
});

/** What was sent to one channel or address. */
export const messageFields = {
  kind: z.enum(alertMessageKinds).describe('`opened`: that it began. `resolved`: that it is over.'),
  status: z.enum(alertMessageStatuses),
  attempts: z.int(),
  answer: z.string().nullable().describe("The server's answer to the last attempt, or why there was none."),
  due_at: instant().nullable().describe('When the next attempt is made; null if there is none.'),
  sent_at: instant().nullable(),
};

type Sent = Pick<Row<'alert_messages'>, keyof typeof messageFields>;
export const viewMessage = ({ kind, status, attempts, answer, due_at, sent_at }: Sent) => ({
  kind,
  status,
  attempts,
  answer,
  due_at: status === 'pending' ? toInstant(due_at) : null,
  sent_at: toInstantOrNull(sent_at),
});

/** Its name is the one that the partner has now. */
const concerned = ownerView.describe('The partner whose endpoint it is about. All fields are null if it is about none.');

export const alertView = named('Alert', {
  id: z.string(),
  rule: z.enum(alertRuleNames),
  about: concerned,
  severity: severityField(),
  subject: z.string().describe('The id of an endpoint; `*`, `disk` or `store` for the gateway.'),
  message: z.string(),
  case: z.enum(alertCases).describe('What the message says.'),
  values: z.record(z.string(), z.union([z.string(), z.number()])).describe('The parts of the message that vary.'),
  cause: causeView.nullable().describe('Why the endpoint fails, as of the time when the alert opened.'),
  page: z.string().describe("The console's page that shows the cause."),
  state: z.enum(['open', 'resolved']),
  opened_at: instant(),
  resolved_at: instant().nullable(),
  ending: z
    .object({
      case: z.enum(alertEndingCases),
      text: z.string(),
      cause: causeView.nullable().describe('Why nothing is sent to the endpoint any more, for `stopped`.'),
      waiting: z.int().nullable().describe('Pending deliveries when the receiver answered again, for `answers`.'),
    })
    .nullable()
    .describe('What ended it, as messages say it; null while it is open.'),
  messages: z.array(
    z.object({
      channel_id: z.string(),
      channel: z.string().nullable().describe("Its name, or a partner's address; null if it was removed."),
      ...messageFields,
    }),
  ),
});

const viewEnding = (detail: Row<'alerts'>['detail']): z.input<typeof alertView>['ending'] => {
  const { ending } = detail;
  if (!ending) return null;
  const cause = ending.case === 'stopped' ? viewCause(ending.cause) : null;
  return { case: ending.case, text: endingText(detail), cause, waiting: ending.case === 'answers' ? ending.waiting : null };
};

export interface AlertNames {
  /** The names of channels, and partners' addresses. */
  channels: ReadonlyMap<string, string>;
  owners: (owner: Owner) => NamedOwner;
}

export const viewAlert = (
  { open_key: _, detail, ...alert }: Row<'alerts'>,
  messages: readonly Row<'alert_messages'>[],
  { channels, owners }: AlertNames,
): z.input<typeof alertView> => ({
  ...withInstants(alert, 'opened_at', 'resolved_at'),
  about: owners(alert.about ?? 'operator'),
  case: detail.case,
  values: { ...detail.values },
  cause: viewCause(detail.cause ?? null),
  state: alert.resolved_at === null ? 'open' : 'resolved',
  ending: viewEnding(detail),
  messages: messages.map((message) => ({
    channel_id: message.channel_id,
    channel: channels.get(message.channel_id) ?? null,
    ...viewMessage(message),
  })),
});
