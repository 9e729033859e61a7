import { z } from 'zod';
import type { Reached } from '../../alerts/partners/recipients.ts';
import { partnerText } from '../../alerts/partners/texts.ts';
import { changeOf, instant, toInstant, toInstantOrNull } from '../../http/fields.ts';
import { messageFields, viewMessage } from '../../manage/alerts/shapes.ts';
import {
  type AlertLanguage,
  alertLanguages,
  type PartnerAlertKind,
  partnerAlertKinds,
  partnerAlertNames,
} from '../../store/tables/alerts.ts';
import type { Row } from '../../store/tables/index.ts';

export const languageField = z.enum(alertLanguages).describe('The language of the messages.');

const kinds = <S extends z.ZodType>(field: () => S) =>
  Object.fromEntries(partnerAlertKinds.map((kind) => [kind, field()])) as Record<PartnerAlertKind, S>;

export const addressView = z.object({
  id: z.string(),
  address: z.string(),
  confirmed_at: instant().nullable().describe('Null: nothing but codes is sent there yet.'),
  code_expires_at: instant().nullable().describe('Until when the code that was sent there can be used; null once it was.'),
  created_at: instant(),
});

export const viewAddress = (row: Row<'partner_alert_addresses'>): z.input<typeof addressView> => ({
  id: row.id,
  address: row.address,
  confirmed_at: toInstantOrNull(row.confirmed_at),
  code_expires_at: row.confirmed_at === null ? toInstant(row.code_expires_at) : null,
  created_at: toInstant(row.created_at),
});

export const settingsView = z.object({
  available: z.boolean().describe('False while the operator has set up no mail server for partners: then nothing is sent.'),
  language: languageField,
  kinds: z.object(kinds(() => z.boolean())).describe('The kinds of messages that are sent.'),
  own_address: z
    .object({ address: z.string(), on: z.boolean() })
    .nullable()
    .describe('The address that the operator has of a user; null for an account, which has none.'),
  addresses: z.array(addressView),
});

export const settingsPatch = changeOf({
  language: languageField,
  kinds: z.strictObject(kinds(() => z.boolean().optional())),
  own_address: z.boolean().describe('Whether the address that the operator has gets messages.'),
});

export interface Shown {
  available: boolean;
  partner: Reached;
  addresses: readonly Row<'partner_alert_addresses'>[];
}

export function viewSettings({ available, partner, addresses }: Shown): z.input<typeof settingsView> {
  const { language, off, ownAddress } = partner;
  return {
    available,
    language,
    kinds: Object.fromEntries(partnerAlertKinds.map((kind) => [kind, !off.has(kind)])) as Record<PartnerAlertKind, boolean>,
    own_address: ownAddress === null ? null : { address: ownAddress, on: !off.has('own_address') },
    addresses: addresses.map(viewAddress),
  };
}

export const told = z.object({
  id: z.string(),
  alert: z.enum(partnerAlertNames),
  subject: z.string().describe('The id of an endpoint or key, or `token:ID`.'),
  message: z.string().describe('What the messages say, in the language of your alerts.'),
  language: languageField,
  state: z.enum(['open', 'resolved']),
  opened_at: instant(),
  resolved_at: instant().nullable(),
  messages: z.array(z.object({ address: z.string().nullable().describe('Null if it is no longer used.'), ...messageFields })),
});

export const viewTold = (
  alert: Row<'alerts'>,
  messages: readonly Row<'alert_messages'>[],
  { language, addresses }: { language: AlertLanguage; addresses: ReadonlyMap<string, string> },
): z.input<typeof told> => ({
  id: alert.id,
  alert: alert.rule as z.input<typeof told>['alert'],
  subject: alert.subject,
  message: partnerText({ kind: 'opened', alert }, language),
  language,
  state: alert.resolved_at === null ? 'open' : 'resolved',
  opened_at: toInstant(alert.opened_at),
  resolved_at: toInstantOrNull(alert.resolved_at),
  messages: messages.map(({ channel_id, answer, ...message }) => ({
    address: addresses.get(channel_id) ?? null,
    ...viewMessage({ ...message, answer: answer && forPartners(answer) }),
  })),
});

/** An SMTP reply is about the message. Anything else is about the operator's network, which is no business of partners. */
export const forPartners = (answer: string): string =>
  /^\d{3}\b/.test(answer) ? answer : 'The mail server of the operator could not be reached.';
