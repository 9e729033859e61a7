import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import { partnerNames } from '../figures/partner-names.ts';
import type { Store } from '../store/port.ts';
import type { Row } from '../store/tables/index.ts';
import type { Answered } from './email.ts';
import type { SendThrough } from './send.ts';
import { messageOf, type Told } from './texts.ts';

export interface DispatchParts {
  store: Store;
  clock: Clock;
  log: Logger;
  send: SendThrough;
  /** The console's address, such as https://gateway.example.org/console; null if it is not known. */
  consoleUrl(): string | null;
}

type Channel = Row<'alert_channels'>;
type Waiting = Row<'alert_messages'>;

const secondMs = 1000;
/** How long after each attempt the next one is made. After the last, the message has failed. */
const retryAfterMs = [30, 120, 600, 1800, 3600].map((seconds) => seconds * secondMs);
/** The waiting messages that one message tells. Those beyond are told by the next. */
const maxTold = 200;

/** Sends what waits for each channel, one message for all that is due. A slow channel does not delay the others. */
export async function dispatch(parts: DispatchParts, channels: readonly Channel[]): Promise<void> {
  const sent = await Promise.allSettled(channels.map((channel) => sendWaiting(parts, channel)));
  for (const one of sent) if (one.status === 'rejected') throw one.reason;
}

async function sendWaiting(parts: DispatchParts, channel: Channel): Promise<void> {
  const { store, clock } = parts;
  const waiting = await store.list('alert_messages', {
    where: { channel_id: channel.id, status: 'pending' },
    order: [['id', 'asc']],
    limit: maxTold,
  });
  const now = clock.now();
  if (!waiting.some(({ due_at }) => due_at <= now)) return;
  // A message that failed before goes along, so that nobody reads that an alert is over before reading that it began.
  const claimed = await claim(
    store,
    waiting.filter(({ due_at, attempts }) => due_at <= now || attempts > 0),
    now,
  );
  if (claimed.length === 0) return;
  const told = await withPartners(store, await toldBy(store, claimed));
  await record(parts, channel, claimed, await parts.send(channel, messageOf(told, parts.consoleUrl())));
}

/** Counts the attempt before it is made, so that two processes never make the same one. Returns the messages that are ours. */
export async function claim(store: Store, waiting: readonly Waiting[], now: number): Promise<Waiting[]> {
  const next = ({ attempts }: Waiting) => ({ attempts: attempts + 1, due_at: now + (retryAfterMs[attempts] ?? 0) });
  const moves = waiting.map((one) => ({ id: one.id, seen: { status: one.status, attempts: one.attempts }, next: next(one) }));
  const ours = new Set(await store.advance('alert_messages', moves));
  return waiting.filter(({ id }) => ours.has(id)).map((one) => ({ ...one, ...next(one) }));
}

/** The status of a message after an attempt. After the last one that failed, the message has failed. */
export const statusAfter = ({ attempts }: Waiting, ok: boolean) =>
  ok ? 'sent' : attempts > retryAfterMs.length ? 'failed' : 'pending';

export async function toldBy(store: Store, messages: readonly Waiting[]): Promise<Told[]> {
  const alerts = await store.list('alerts', { where: { id: { in: messages.map(({ alert_id }) => alert_id) } } });
  const byId = new Map(alerts.map((alert) => [alert.id, alert]));
  return messages.flatMap(({ alert_id, kind }) => {
    const alert = byId.get(alert_id);
    return alert ? [{ kind, alert }] : [];
  });
}

/** Names the partners as they are called now. */
async function withPartners(store: Store, told: readonly Told[]): Promise<Told[]> {
  const names = await partnerNames(store, new Set(told.flatMap(({ alert }) => alert.about ?? [])));
  return told.map((one) => ({ ...one, partner: one.alert.about === null ? undefined : names.get(one.alert.about) }));
}

async function record(parts: DispatchParts, channel: Channel, messages: readonly Waiting[], answered: Answered): Promise<void> {
  const { store, clock, log } = parts;
  const { ok, answer } = answered;
  const now = clock.now();
  const statusOf = (one: Waiting) => statusAfter(one, ok);
  await store.transaction(async (tx) => {
    await tx.revise(
      'alert_messages',
      messages.map((one) => ({ id: one.id, status: statusOf(one), answer, sent_at: ok ? now : null })),
    );
    await tx.update('alert_channels', { id: channel.id }, channelAfter(channel, answered, now));
  });
  const report = { channelId: channel.id, kind: channel.kind, alerts: messages.map(({ alert_id }) => alert_id), answer };
  if (ok) log.info(report, 'alert.sent');
  else log.error({ ...report, gaveUp: messages.filter((one) => statusOf(one) === 'failed').length }, 'alert.not_sent');
}

/** The columns of a channel that tell how it works. */
export const channelAfter = (channel: Channel, { ok, answer }: Answered, now: number): Partial<Channel> => ({
  last_answer: answer,
  ...(ok ? { last_sent_at: now, failing_since: null } : { failing_since: channel.failing_since ?? now }),
});
