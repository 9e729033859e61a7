import type { EmailSettings } from '../../store/tables/alerts.ts';
import type { Row } from '../../store/tables/index.ts';
import { claim, type DispatchParts, statusAfter, toldBy } from '../dispatch.ts';
import { pageRows } from './announce.ts';
import { type Reached, type Recipient, recipientIds, recipientsById } from './recipients.ts';
import { partnerMessage } from './texts.ts';

export interface PartnerDispatchParts extends DispatchParts {
  /** The profile's address, such as https://gateway.example.org/profile; null if it is not known. */
  profileUrl(): string | null;
}

type Channel = Row<'alert_channels'>;
type Waiting = Row<'alert_messages'>;

/** Messages on their way at once. Mail servers refuse clients that open many connections. */
const atOnce = 4;
/** What one message tells at most. The rest is told by the next. */
const maxTold = 200;

/** The channel whose server sends the messages of partners. */
export const partnersServer = (channels: readonly Channel[]): Channel | undefined =>
  channels.find(({ kind, active, for_partners }) => kind === 'email' && active && for_partners);

/** The server with another addressee. */
export const addressedTo = (server: Channel, address: string): Channel => ({
  ...server,
  settings: { ...(server.settings as EmailSettings), to: [address] },
});

/** All that waits for one address. */
interface Bundle {
  channelId: string;
  messages: Waiting[];
}

/**
 * Sends what waits for partners, one message for each address. If the server takes none of a few, the others wait for the next
 * round, unattempted.
 */
export async function dispatchToPartners(parts: PartnerDispatchParts, server: Channel, isStopped: () => boolean): Promise<void> {
  for (let after: string = recipientIds.gte; ; ) {
    const { bundles, last } = await nextBundles(parts, after);
    const known = await recipientsById(
      parts.store,
      bundles.map(({ channelId }) => channelId),
    );
    for (let from = 0; from < bundles.length; from += atOnce) {
      if (isStopped()) return;
      const some = bundles.slice(from, from + atOnce);
      const taken = await Promise.all(some.map((bundle) => sendBundle(parts, server, bundle, known.get(bundle.channelId))));
      if (taken.every((one) => one === false)) return;
    }
    if (last === null) return;
    after = last;
  }
}

/** Reads what waits, in the order of the addresses, so that all of one address is together. `last` is null at the end. */
async function nextBundles({ store, clock }: PartnerDispatchParts, after: string) {
  const waiting = await store.list('alert_messages', {
    where: { channel_id: { gt: after, lt: recipientIds.lt }, status: 'pending' },
    order: [
      ['channel_id', 'asc'],
      ['id', 'asc'],
    ],
    limit: pageRows,
  });
  const now = clock.now();
  const groups = [...Map.groupBy(waiting, ({ channel_id }) => channel_id)];
  const isFull = waiting.length === pageRows;
  // The page may have cut the last one.
  const whole = isFull && groups.length > 1 ? groups.slice(0, -1) : groups;
  const bundles = whole.flatMap(([channelId, all]): Bundle[] => {
    if (!all.some(({ due_at }) => due_at <= now)) return [];
    // One that failed before goes along, so that nobody reads that something is over before reading that it began.
    return [{ channelId, messages: all.filter(({ due_at, attempts }) => due_at <= now || attempts > 0).slice(0, maxTold) }];
  });
  return { bundles, last: isFull ? (whole.at(-1)?.[0] ?? null) : null };
}

/** Returns whether the server took the message; null if nothing was sent. */
async function sendBundle(
  { store, clock, log, send, profileUrl }: PartnerDispatchParts,
  server: Channel,
  { messages }: Bundle,
  to: { partner: Reached; recipient: Recipient } | undefined,
): Promise<boolean | null> {
  if (!to) {
    // The address was removed or switched off, or its partner is no longer active.
    await store.update('alert_messages', { id: { in: messages.map(({ id }) => id) }, status: 'pending' }, { status: 'skipped' });
    return null;
  }
  const claimed = await claim(store, messages, clock.now());
  if (claimed.length === 0) return null;
  const { partner, recipient } = to;
  const told = await toldBy(store, claimed);
  const { ok, answer } = await send(addressedTo(server, recipient.address), partnerMessage(told, partner, profileUrl()));
  const sent_at = ok ? clock.now() : null;
  await store.revise(
    'alert_messages',
    claimed.map((one) => ({ id: one.id, status: statusAfter(one, ok), answer, sent_at })),
  );
  const report = { owner: partner.owner, alerts: claimed.map(({ alert_id }) => alert_id), answer };
  if (ok) log.info(report, 'alert.sent');
  else log.error(report, 'alert.not_sent');
  return ok;
}
