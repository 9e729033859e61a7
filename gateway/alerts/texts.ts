import { cut, lasted, utc } from '../base/words.ts';
import type { AlertMessageKind, AlertSeverity } from '../store/tables/alerts.ts';
import type { Row } from '../store/tables/index.ts';
import { endingText } from './endings.ts';

/** One line of a message: an alert that began or is over. */
export interface Told {
  kind: AlertMessageKind;
  alert: Row<'alerts'>;
  /** The name of the partner whose endpoint it is about. */
  partner?: string | undefined;
}

/** A message for people, before it takes the form of a channel. */
export interface Message {
  subject: string;
  lines: { text: string; link: string | null }[];
  footer: string;
}

const severityWords: Record<AlertSeverity, string> = { info: 'Notice', warning: 'Warning', critical: 'Critical' };

/** Longer ones are cut: mail programs show about 80 characters. */
const maxSubject = 150;
/** The alerts that one message names. It counts the others. */
export const maxLines = 20;

/**
 * Makes text fit for one line: no line ends, control characters or characters that turn the direction of text. Names are given
 * by people, and a line end in one must not begin a header or a line of its own.
 */
export const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();

/** One message for all that a channel is told at once, so that an outage of a thousand endpoints is not a thousand messages. */
export function messageOf(all: readonly Told[], consoleUrl: string | null): Message {
  const [first] = all;
  const named = all.slice(0, maxLines);
  const linkTo = (page: string) => (consoleUrl === null ? null : `${consoleUrl}${page}`);
  const lines = named.map((one) => ({ text: lineOf(one), link: linkTo(one.alert.page) }));
  const left = all.length - named.length;
  if (left > 0) lines.push({ text: `${left} more are in the list of alerts.`, link: linkTo('/alerts') });
  const title = all.length === 1 && first ? titleOf(first) : summaryOf(all);
  return {
    subject: subjectOf(title),
    lines,
    footer: 'Passerelle sends this because of a rule on its page "Alerts". Rules and channels are changed there.',
  };
}

/** A subject for one line of a header. A mail program would decode what looks like an encoded word. */
export const subjectOf = (title: string): string => cut(`[Passerelle] ${oneLine(title)}`, maxSubject).replaceAll('=?', '= ?');

/** `Critical, Boutique Awa (account:acc_1)`: the partner comes first, because a long subject is cut. */
function headOf({ kind, alert: { severity, about, opened_at, resolved_at, snoozed_until }, partner }: Told): string {
  const opened = snoozed_until === null ? severityWords[severity] : `${severityWords[severity]}, still open after its snooze`;
  const word = kind === 'resolved' ? `Over after ${lasted((resolved_at ?? opened_at) - opened_at)}` : opened;
  if (about === null) return word;
  return `${word}, ${partner === undefined ? about : `${cut(oneLine(partner), 80)} (${about})`}`;
}

const titleOf = (told: Told): string =>
  `${headOf(told)}: ${told.kind === 'resolved' ? endingText(told.alert) : told.alert.message}`;

function lineOf(told: Told): string {
  const { kind, alert } = told;
  const since = utc(alert.opened_at);
  const when = kind === 'opened' ? `Since ${since}.` : `From ${since} to ${utc(alert.resolved_at ?? alert.opened_at)}.`;
  return oneLine(`${titleOf(told)} ${when}`);
}

function summaryOf(all: readonly Told[]): string {
  const opened = all.filter(({ kind }) => kind === 'opened').length;
  const over = all.length - opened;
  const parts = [opened > 0 ? `${opened} new ${opened === 1 ? 'alert' : 'alerts'}` : '', over > 0 ? `${over} over` : ''];
  return parts.filter(Boolean).join(', ');
}

/** The message that "Send a test" sends. */
export function testMessage(channel: string, nowMs: number, consoleUrl: string | null): Message {
  const text = oneLine(`This is a test of the channel "${channel}", sent at ${utc(nowMs)}. Nothing is wrong.`);
  const link = consoleUrl === null ? null : `${consoleUrl}/alerts`;
  return { subject: '[Passerelle] Test of alerts', lines: [{ text, link }], footer: 'An operator sent this test.' };
}

/** Plain text for e-mail. */
export const plainText = ({ lines, footer }: Message): string =>
  [...lines.map(({ text, link }) => (link === null ? text : `${text}\n${link}`)), `-- \n${footer}`].join('\n\n');

/**
 * Slack's markup. `&`, `<` and `>` are escaped, so that no name becomes a link or calls a channel. Mattermost calls people by
 * `@` alone, so a space without width follows it.
 */
export const slackText = ({ lines }: Message): string =>
  lines.map(({ text, link }) => (link === null ? escaped(text) : `${escaped(text)}\n<${link}|Open in the console>`)).join('\n\n');

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('@', '@\u200b');
