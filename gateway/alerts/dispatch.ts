import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import { partnerNames } from '../figures/partner-names.ts';
import type { Store } from '../store/port.ts';
import type { EmailSettings } from '../store/tables/alerts.ts';
import type { Row } from '../store/tables/index.ts';
import type { Answered } from './email.ts';
import { type Recipient, recipientIds, recipientsById } from './partners/addresses.ts';
import { partnerMessage } from './partners/texts.ts';
import type { SendThrough } from './send.ts';
import { type Message, messageOf, type Told } from './texts.ts';

export interface DispatchParts {
  store: Store;
  clock: Clock;
  log: Logger;
  send: SendThrough;
  /** The console's address, such as https://gateway.example.org/console; null if it is not known. */
  consoleUrl(): string | null;
  /** The profile's address, such as https://gateway.example.org/profile; null if it is not known. */
  profileUrl(): string | null;
}

type Channel = Row<'alert_channels'>;
type Waiting = Row<'alert_messages'>;

/** Where messages wait to be sent: a channel, or the address of a partner. */
export interface Mailbox {
  through: Channel;
  write(told: readonly Told[]): Message;
  /** Names it in the log. */
  logged: object;
}

/** Who is told of alerts: the operators through their channels, or partners at their addresses. */
export interface Audience {
  ids: { in: readonly string[] } | { gte: string; lt: string };
  /** Returns those that are in use. */
  mailboxes(ids: readonly string[]): Promise<ReadonlyMap<string, Mailbox>>;
  /** Messages on their way at once. */
  atOnce: number;
}

const secondMs = 1000;
/** How long after each attempt the next one is made. After the last, the message has failed. */
const retryAfterMs = [30, 120, 600, 1800, 3600].map((seconds) => seconds * secondMs);
/** The maximum number of waiting messages that are sent as one. The rest are sent with the next one. */
const maxTold = 200;

/** Operators are told through their active channels. A slow one does not delay the others. */
export const operatorsOf = ({ consoleUrl }: DispatchParts, channels: readonly Channel[]): Audience => ({
  ids: { in: channels.map(({ id }) => id) },
  atOnce: Number.POSITIVE_INFINITY,
  async mailboxes() {
    const mailboxOf = (through: Channel): Mailbox => ({
      through,
      write: (told) => messageOf(told, consoleUrl()),
      logged: { channelId: through.id, kind: through.kind },
    });
    return new Map(channels.map((channel) => [channel.id, mailboxOf(channel)]));
  },
});

/** The channel whose server sends the messages of partners. */
export const partnersServer = (channels: readonly Channel[]): Channel | undefined =>
  channels.find(({ kind, active, for_partners }) => kind === 'email' && active && for_partners);

export const addressedTo = (server: Channel, address: string): Channel => ({
  ...server,
  settings: { ...(server.settings as EmailSettings), to: [address] },
});

/** Partners are told at their addresses, a few at once: mail servers refuse clients that open many connections. */
export const partnersOf = ({ store, profileUrl }: DispatchParts, server: Channel): Audience => ({
  ids: recipientIds,
  atOnce: 4,
  async mailboxes(ids) {
    const mailboxOf = ({ address, ...partner }: Recipient): Mailbox => ({
      through: addressedTo(server, address),
      write: (told) => partnerMessage(told, partner, profileUrl()),
      logged: { owner: partner.owner },
    });
    return new Map([...(await recipientsById(store, ids))].map(([id, recipient]) => [id, mailboxOf(recipient)]));
  },
});

/**
 * Sends what is due to each mailbox of an audience, in one message. If none of the mailboxes that are tried together takes its
 * message, the other mailboxes are not tried before the next round.
 */
export async function dispatch(parts: DispatchParts, audience: Audience, isStopped: () => boolean): Promise<void> {
  const { store, clock } = parts;
  const where = { channel_id: audience.ids, status: 'pending', due_at: { lte: clock.now() } } as const;
  const due = (await store.summarize('alert_messages', { where, by: ['channel_id'] })).map(({ channel_id }) => channel_id);
  while (due.length > 0 && !isStopped()) {
    const ids = due.splice(0, audience.atOnce);
    const mailboxes = await audience.mailboxes(ids);
    const sent = await Promise.allSettled(ids.map((id) => sendWaiting(parts, id, mailboxes.get(id))));
    for (const one of sent) if (one.status === 'rejected') throw one.reason;
    if (sent.every((one) => one.status === 'fulfilled' && one.value === false)) return;
  }
}

/** Returns whether the message was taken; null if nothing was sent. */
async function sendWaiting(parts: DispatchParts, channel_id: string, mailbox: Mailbox | undefined): Promise<boolean | null> {
  const { store, clock } = parts;
  const where = { channel_id, status: 'pending' } as const;
  if (!mailbox) {
    // The address was removed, or its partner is no longer active.
    await store.update('alert_messages', where, { status: 'skipped' });
    return null;
  }
  const waiting = await store.list('alert_messages', { where, order: [['id', 'asc']], limit: maxTold });
  const now = clock.now();
  if (!waiting.some(({ due_at }) => due_at <= now)) return null;
  // Messages that failed before are sent together with it. Otherwise somebody could read that an alert is over before reading
  // that it began.
  const claimed = await claim(
    store,
    waiting.filter(({ due_at, attempts }) => due_at <= now || attempts > 0),
    now,
  );
  if (claimed.length === 0) return null;
  const answered = await parts.send(mailbox.through, mailbox.write(await toldBy(store, claimed)));
  await record(parts, mailbox, claimed, answered);
  return answered.ok;
}

/** Counts the attempt before it is made, so that two processes never make the same one. Returns the messages that are ours. */
async function claim(store: Store, waiting: readonly Waiting[], now: number): Promise<Waiting[]> {
  const next = ({ attempts }: Waiting) => ({ attempts: attempts + 1, due_at: now + (retryAfterMs[attempts] ?? 0) });
  const moves = waiting.map((one) => ({ id: one.id, seen: { status: one.status, attempts: one.attempts }, next: next(one) }));
  const ours = new Set(await store.advance('alert_messages', moves));
  return waiting.filter(({ id }) => ours.has(id)).map((one) => ({ ...one, ...next(one) }));
}

/** Partners are named as they are called now. */
async function toldBy(store: Store, messages: readonly Waiting[]): Promise<Told[]> {
  const alerts = await store.list('alerts', { where: { id: { in: messages.map(({ alert_id }) => alert_id) } } });
  const names = await partnerNames(store, new Set(alerts.flatMap(({ about }) => about ?? [])));
  const byId = new Map(alerts.map((alert) => [alert.id, alert]));
  return messages.flatMap(({ alert_id, kind }) => {
    const alert = byId.get(alert_id);
    return alert ? [{ kind, alert, partner: alert.about === null ? undefined : names.get(alert.about) }] : [];
  });
}

async function record(
  { store, clock, log }: DispatchParts,
  { through, logged }: Mailbox,
  messages: readonly Waiting[],
  answered: Answered,
): Promise<void> {
  const { ok, answer } = answered;
  const now = clock.now();
  const revised = messages.map(({ id, attempts }) => {
    const status = ok ? ('sent' as const) : attempts > retryAfterMs.length ? ('failed' as const) : ('pending' as const);
    return { id, status, answer, sent_at: ok ? now : null };
  });
  await store.transaction(async (tx) => {
    await tx.revise('alert_messages', revised);
    // For partners' messages, the channel is not updated: it shows the last answer to a message for operators.
    if (messages.some(({ channel_id }) => channel_id === through.id))
      await tx.update('alert_channels', { id: through.id }, channelAfter(through, answered, now));
  });
  const report = { ...logged, alerts: messages.map(({ alert_id }) => alert_id), answer };
  if (ok) log.info(report, 'alert.sent');
  else log.error({ ...report, gaveUp: revised.filter(({ status }) => status === 'failed').length }, 'alert.not_sent');
}

/** The columns of a channel that tell how it works. */
export const channelAfter = (channel: Channel, { ok, answer }: Answered, now: number): Partial<Channel> => ({
  last_answer: answer,
  ...(ok ? { last_sent_at: now, failing_since: null } : { failing_since: channel.failing_since ?? now }),
});
