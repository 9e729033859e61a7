import type { Keyring } from '../base/keyring.ts';
import { storable } from '../base/text.ts';
import { cut } from '../base/words.ts';
import type { EmailSettings } from '../store/tables/alerts.ts';
import type { Row } from '../store/tables/index.ts';
import { lazySender } from '../webhooks/sending/lazy-sender.ts';
import { type Answered, sendEmail } from './email.ts';
import { type Message, oneLine, slackText } from './texts.ts';

/** Sends a message through a channel. A failure of any kind is an answer; this never rejects. */
export type SendThrough = (channel: Row<'alert_channels'>, message: Message) => Promise<Answered>;

export interface ChannelSender {
  send: SendThrough;
  /** Waits a moment for what is being sent, then aborts it. It is tried again after the next start. */
  close(sending: Promise<unknown>): Promise<void>;
}

export interface ChannelSenderOptions {
  keys: Keyring;
  allowLoopback: boolean;
  /** The http proxy that messages to Slack go through. By default none. */
  proxyUrl?: string | undefined;
  /** Time limit of one message, in milliseconds. */
  deadlineMs?: number;
  /** For tests: a certificate authority of mail servers (PEM). */
  ca?: string | undefined;
}

const defaultDeadlineMs = 15_000;
/** How long a stop waits for a server. */
const closeGraceMs = 2000;
/** How much of a server's answer is kept. */
const maxAnswer = 500;
const unreadable = 'Its secret cannot be decrypted with this master key. Enter the secret again.';

/** Slack and Mattermost get their messages through the same address guard as webhooks. */
export function channelSender({
  keys,
  allowLoopback,
  proxyUrl,
  deadlineMs = defaultDeadlineMs,
  ca,
}: ChannelSenderOptions): ChannelSender {
  const stopped = new AbortController();
  const http = lazySender({ deadlineMs, keptBodyBytes: maxAnswer, allow: { loopback: allowLoopback }, proxyUrl });
  const post = async (url: string, message: Message): Promise<Answered> => {
    const headers = { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'Passerelle' };
    const { outcome, status, body, error } = await http.post(url, headers, JSON.stringify({ text: slackText(message) }));
    return { ok: outcome === 'success', answer: status === null ? (error ?? outcome) : `${status} ${body ?? ''}` };
  };
  const sendTo = (channel: Row<'alert_channels'>, secret: string | null, message: Message): Promise<Answered> =>
    channel.kind === 'slack'
      ? post(secret ?? '', message)
      : sendEmail({ settings: channel.settings as EmailSettings, password: secret }, message, {
          deadlineMs,
          ca,
          signal: stopped.signal,
        });
  return {
    async send(channel, message) {
      let secret: string | null;
      try {
        secret = channel.sealed && keys.open(channel.sealed);
      } catch {
        return { ok: false, answer: unreadable };
      }
      const { ok, answer } = await sendTo(channel, secret, message);
      return { ok, answer: cut(storable(oneLine(hidden(answer, secret))), maxAnswer) };
    },
    async close(sending) {
      const abort = setTimeout(() => {
        stopped.abort();
        void http.abort();
      }, closeGraceMs);
      await sending;
      clearTimeout(abort);
      await http.close();
    },
  };
}

/** Removes the secret from an answer: a server may repeat what it was sent, and an error may name the URL. */
const hidden = (answer: string, secret: string | null): string =>
  secret === null || secret === '' ? answer : answer.replaceAll(secret, '[secret]').replaceAll(pathOf(secret), '[secret]');

/** The part of a URL that is the secret; the whole text of a password. */
function pathOf(secret: string): string {
  const path = URL.parse(secret)?.pathname ?? '/';
  return path.length > 1 ? path : secret;
}
