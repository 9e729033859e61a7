import type { Row } from '../../store/tables/index.ts';
import type { DelayPart, Delays, Wait } from '../../store/tables/webhooks.ts';

type Delivery = Row<'deliveries'>;
type Waiting = Pick<Delivery, 'delays' | 'attempts' | 'delivered_at'>;

/** Milliseconds of waiting that a process has measured in memory, and that are not yet in the row. */
export type Spent = Partial<Record<Exclude<DelayPart, 'own'>, number>>;

/** Returns false for a delivery that has arrived, and for one of which a process of an earlier version has made an attempt. */
const isAccounted = ({ delays, attempts, delivered_at }: Waiting): boolean =>
  delivered_at === null && (delays?.attempts ?? 0) === attempts;

/**
 * Returns the delays of a delivery at `atMs`: what it waited for until now is counted, and from now on it waits for `next`. All
 * other time is the gateway's own. Clocks of processes differ, so a wait that ends before it begins counts as 0.
 */
export function waited(delivery: Waiting, atMs: number, next: Wait | null = null, spent: Spent = {}): Delays | null {
  const { delays, attempts } = delivery;
  if (!isAccounted(delivery)) return delays;
  const ms = { ...delays?.ms };
  const add = (part: DelayPart, span: number) => {
    const whole = Math.round(span);
    if (whole > 0) ms[part] = (ms[part] ?? 0) + whole;
  };
  const wait = delays?.wait;
  if (wait) add(wait.part, Math.min(atMs, wait.until ?? atMs) - wait.since);
  for (const [part, span] of Object.entries(spent)) add(part as DelayPart, span);
  return { attempts, ms, wait: next };
}

/** Returns the delays with one more attempt accounted for. */
export function attempted(delays: Delays | null): Delays {
  const known = delays ?? { attempts: 0, ms: {}, wait: null };
  return { ...known, attempts: known.attempts + 1 };
}

/** If the parts together are longer than the whole, they are cut. The first ones in this list are cut last. */
const surest = ['receiver', 'retry', 'hold', 'limit'] as const;

/** Returns the columns of a delivery that arrives at `atMs`. The parts of its delays add up to the time since `eventAtMs`. */
export function arrived(delivery: Waiting, delays: Delays | null, at: { atMs: number; eventAtMs: number }) {
  if (delivery.delivered_at !== null) return { delays: delivery.delays, delivered_at: delivery.delivered_at };
  const delivered_at = Math.max(at.atMs, at.eventAtMs);
  if (!delays || !isAccounted(delivery)) return { delays: null, delivered_at };
  let own = delivered_at - at.eventAtMs;
  const ms: Delays['ms'] = {};
  for (const part of surest) {
    const span = Math.min(delays.ms[part] ?? 0, own);
    if (span > 0) ms[part] = span;
    own -= span;
  }
  return { delays: { ...delays, ms: { ...ms, own }, wait: null }, delivered_at };
}

/** Returns the gateway's own part of the time until a first attempt began. */
export const ownBefore = (sinceEventMs: number, { limit = 0, hold = 0, retry = 0 }: Delays['ms']): number =>
  sinceEventMs - limit - hold - retry;

/**
 * Returns the parts of the delay of a delivery that an attempt has brought to its receiver for the first time. Undefined for a
 * test, because nobody waits for one, and if an earlier version has made an attempt of the delivery.
 */
export const arrivalOf = (
  { test, delays, delivered_at }: Pick<Delivery, 'test' | 'delays' | 'delivered_at'>,
  { endedAtMs, eventAtMs }: { endedAtMs: number; eventAtMs: number },
): Delays['ms'] | undefined => (!test && delays && delivered_at === Math.max(endedAtMs, eventAtMs) ? delays.ms : undefined);

/**
 * Returns the columns of a delivery for which somebody requests an attempt at `now`. For a failed delivery, the time until then
 * counts as `retry`; for a skipped one, as `hold`. A delivery that has arrived does not arrive a second time.
 */
export function askedFor(delivery: Delivery, now: number): Pick<Delivery, 'delays' | 'delivered_at'> {
  const { status, delays, delivered_at, updated_at: since } = delivery;
  if (status === 'delivered') return { delays, delivered_at: delivered_at ?? since };
  if (status === 'pending') return { delays: waited(delivery, now), delivered_at };
  const ended = waited(delivery, since, { part: status === 'failed' ? 'retry' : 'hold', since, until: null });
  return { delays: waited({ ...delivery, delays: ended }, now), delivered_at };
}
