import { cut, lasted, utc } from '../base/words.ts';
import type { AlertMessageKind, AlertSeverity } from '../store/tables/alerts.ts';
import type { Row } from '../store/tables/index.ts';
import { endingText } from './cases.ts';

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

const severityWords: Record<AlertSeverity, string> = { warning: 'Warning', critical: 'Critical' };

/** Longer ones are cut: mail programs show about 80 characters, and would decode what looks like an encoded word. */
const maxSubject = 150;
/** The alerts that one message names. It counts the others. */
const maxLines = 20;

/**
 * Makes text fit for one line: no line ends, control characters or characters that turn the direction of text. Names are given
 * by people, and a line end in one must not begin a header or a line of its own.
 */
export const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();

interface Frame {
  footer: string;
  /** The address of the pages; null if that of the gateway is not known. */
  url: string | null;
}

/** A message whose lines link to pages. */
export const compose = (title: string, lines: readonly { text: string; page: string }[], { footer, url }: Frame): Message => ({
  subject: cut(`[Passerelle] ${oneLine(title)}`, maxSubject).replaceAll('=?', '= ?'),
  lines: lines.map(({ text, page }) => ({ text: oneLine(text), link: url === null ? null : `${url}${page}` })),
  footer,
});

/**
 * Returns one message with all alerts that are sent to a reader at the same time, so that an outage of a thousand endpoints is
 * not a thousand messages.
 */
export function digest(
  all: readonly { title: string; text: string; page: string }[],
  { many, more, ...frame }: Frame & { many: string; more(count: number): string },
): Message {
  const lines = all.slice(0, maxLines);
  const left = all.length - lines.length;
  const rest = left > 0 ? [{ text: more(left), page: '/alerts' }] : [];
  return compose(all.length === 1 ? (lines[0]?.title ?? '') : many, [...lines, ...rest], frame);
}

/** `Critical, Boutique Awa (account:acc_1)`: the partner comes first, because a long subject is cut. */
function headOf({ kind, alert: { severity, about, opened_at, resolved_at }, partner }: Told): string {
  const word = kind === 'resolved' ? `Over after ${lasted((resolved_at ?? opened_at) - opened_at)}` : severityWords[severity];
  if (about === null) return word;
  return `${word}, ${partner === undefined ? about : `${cut(oneLine(partner), 80)} (${about})`}`;
}

const titleOf = (told: Told): string =>
  `${headOf(told)}: ${told.kind === 'resolved' ? endingText(told.alert.detail) : told.alert.message}`;

export function messageOf(all: readonly Told[], consoleUrl: string | null): Message {
  const opened = all.filter(({ kind }) => kind === 'opened').length;
  const over = all.length - opened;
  const counts = [opened > 0 ? `${opened} new ${opened === 1 ? 'alert' : 'alerts'}` : '', over > 0 ? `${over} over` : ''];
  const lines = all.map((told) => {
    const { page, opened_at, resolved_at } = told.alert;
    const since = utc(opened_at);
    const when = told.kind === 'opened' ? `Since ${since}.` : `From ${since} to ${utc(resolved_at ?? opened_at)}.`;
    const title = titleOf(told);
    return { title, text: `${title} ${when}`, page };
  });
  return digest(lines, {
    many: counts.filter(Boolean).join(', '),
    more: (count) => `${count} more are in the list of alerts.`,
    footer: 'Passerelle sends this because of a channel on its page "Alerts". Channels are changed there.',
    url: consoleUrl,
  });
}

export function testMessage(channel: string, nowMs: number, consoleUrl: string | null): Message {
  const text = `This is a test of the channel "${channel}", sent at ${utc(nowMs)}. Nothing is wrong.`;
  return compose('Test of alerts', [{ text, page: '/alerts' }], { footer: 'An operator sent this test.', url: consoleUrl });
}

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
