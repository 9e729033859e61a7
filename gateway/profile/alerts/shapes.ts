import { z } from 'zod';
import { recipientId } from '../../alerts/partners/addresses.ts';
import { partnerText } from '../../alerts/partners/texts.ts';
import { instant, toInstant, toInstantOrNull } from '../../http/fields.ts';
import { answerView, messageFields, viewMessage } from '../../manage/alerts/shapes.ts';
import { type AlertLanguage, alertLanguages, alertRuleNames } from '../../store/tables/alerts.ts';
import type { Row } from '../../store/tables/index.ts';
import type { Partner } from '../../store/tables/webhooks.ts';

const languageField = z.enum(alertLanguages).describe('The language of the messages.');

export const addressFields = {
  address: z.email('must be an e-mail address, such as awa@example.org').max(254),
  language: languageField.default('en'),
};

export const addressView = z.object({
  address: z.string(),
  language: languageField,
  confirmed_at: instant().nullable().describe('Null: nothing but codes is sent there yet.'),
  code_expires_at: instant().nullable().describe('Until when the code that was sent there can be used; null once it was.'),
  created_at: instant(),
});

export const viewAddress = (row: Row<'partner_alert_addresses'>): z.input<typeof addressView> => ({
  address: row.address,
  language: row.language,
  confirmed_at: toInstantOrNull(row.confirmed_at),
  code_expires_at: row.confirmed_at === null ? toInstant(row.code_expires_at) : null,
  created_at: toInstant(row.created_at),
});

export const changedAddress = addressView.extend({
  sent: answerView.nullable().describe('How the mail server took the message with the code; null if the address is confirmed.'),
});

export const settingsView = z.object({
  available: z.boolean().describe('False while the operator has set up no mail server for partners: then nothing is sent.'),
  address: addressView.nullable().describe('Where your alerts are sent; null: nowhere.'),
});

export const told = z.object({
  id: z.string(),
  alert: z.enum(alertRuleNames),
  subject: z.string().describe('The id of an endpoint.'),
  message: z.string().describe('What the messages say, in the language of your alerts.'),
  language: languageField,
  state: z.enum(['open', 'resolved']),
  opened_at: instant(),
  resolved_at: instant().nullable(),
  messages: z.array(z.object(messageFields)),
});

export const viewTold = (
  alert: Row<'alerts'>,
  messages: readonly Row<'alert_messages'>[],
  { owner, language }: { owner: Partner; language: AlertLanguage },
): z.input<typeof told> => ({
  id: alert.id,
  alert: alert.rule,
  subject: alert.subject,
  message: partnerText({ kind: 'opened', alert }, language),
  language,
  state: alert.resolved_at === null ? 'open' : 'resolved',
  opened_at: toInstant(alert.opened_at),
  resolved_at: toInstantOrNull(alert.resolved_at),
  // Others are about the channels of operators.
  messages: messages
    .filter(({ channel_id }) => channel_id === recipientId(owner))
    .map((message) => viewMessage({ ...message, answer: message.answer && forPartners(message.answer) })),
});

/** An SMTP reply is about the message. Anything else is about the operator's network, which is no business of partners. */
export const forPartners = (answer: string): string =>
  /^\d{3}\b/.test(answer) ? answer : 'The mail server of the operator could not be reached.';
