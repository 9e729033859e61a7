import { type Clock, type Timers, toleratedSkewMs } from '../../base/clock.ts';
import type { Entered, Entry, Gate, Lease } from '../../queue/gate/port.ts';
import type { Job, Queue } from '../../queue/port.ts';
import type { Store, Where } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import type { SkipReason } from '../../store/tables/webhooks.ts';
import type { AttemptHooks } from '../model/attempt-hooks.ts';
import { asksForOneMore, isCurrent, isUrgent } from '../model/jobs.ts';
import { orderKeyOf } from '../model/order-key.ts';
import { whyNotSent } from '../outbox/owners.ts';
import { endpointTtlMs, type RecentDeliveries } from '../outbox/recent-deliveries.ts';
import { namesOf } from './lease.ts';
import { postponeStage } from './postpone.ts';
import type { Room } from './room.ts';
import { batched, type Stage } from './stage.ts';
import { startAfter } from './start-after.ts';

/** A delivery that is due, with the rows that its attempt needs. */
export interface Candidate {
  delivery: Row<'deliveries'>;
  event: Row<'events'>;
  endpoint: Row<'endpoints'>;
  /** When the endpoint was read, on the timers' clock. */
  endpointReadMs: number;
}

/** A delivery that ends without this attempt. */
export interface Skipped {
  delivery: Row<'deliveries'>;
  reason: SkipReason;
}

/** A delivery that waits in its endpoint's lane. */
export interface Parked {
  candidate: Candidate;
}

export type Admission =
  | { kind: 'stale' }
  | ({ kind: 'skip' } & Skipped)
  | ({ kind: 'park' } & Parked)
  | { kind: 'send'; candidate: Candidate; lease: Lease };

/** The gate's answer about a delivery that should be sent. */
type Answered = Entered & { candidate: Candidate };

/** The result of reading the rows. If the delivery should be sent, the gate is asked next. */
type Wanted =
  | Exclude<Admission, { kind: 'park' } | { kind: 'send' }>
  | { kind: 'park'; candidate: Candidate }
  | { kind: 'ask'; candidate: Candidate };

type Decision = Exclude<Wanted, { kind: 'ask' }> | Answered;

export interface AdmitParts {
  store: Store;
  queue: Queue;
  gate: Gate;
  clock: Clock;
  timers: Timers;
  recent: RecentDeliveries;
  room: Room;
  /** Attempts in flight at once at an endpoint without a limit of its own. */
  maxInFlight: number;
  hooks?: AttemptHooks | undefined;
}

/** A job that asks for its attempt. */
export interface Asking {
  job: Job;
  /** A delivery whose job is not in the queue. */
  taken?: Taken | undefined;
}

/**
 * A delivery that is taken out of its lane, with its row as if it were not parked. Its attempt gets the room of a lease that has
 * ended.
 */
export interface Taken {
  delivery: Row<'deliveries'>;
  /** The rows that the attempt before it has read. */
  before: Pick<Candidate, 'endpoint' | 'endpointReadMs'>;
  /** When the row was read, on the timers' clock. Undefined if another process may take it too: then it is read again under the lease. */
  readMs: number | undefined;
  lease: Lease;
}

/** The stage that decides what happens to a job. An admitted job (`send`) holds a lease of the gate, and starts now. */
export function admitStage(parts: AdmitParts): Stage<Asking, Admission> {
  const decide = batched<Asking, Decision>('admit', (asking) => decideBatch(parts, asking));
  const postpone = postponeStage(parts);
  const startsIn = startAfter(parts);
  return async (asking) => {
    const sinceMs = parts.timers.elapsed();
    for (;;) {
      const decision = await decide(asking);
      if (decision.kind === 'full') {
        const { candidate, ms } = decision;
        const { endpointId, maxInFlight } = entryOf(candidate, parts.maxInFlight);
        const hasRoom = await parts.room.wait({ endpointId, maxInFlight, sinceMs, ms });
        if (!hasRoom) return { kind: 'park', candidate };
      } else if (decision.kind === 'running') {
        // A delivery that was taken out of a lane is not postponed: it stays in its lane, and another process has taken it.
        if (!asking.taken) await postpone({ delivery: decision.candidate.delivery, ms: decision.ms });
        return stale;
      } else if (decision.kind === 'admitted') {
        const { candidate, lease, ms } = decision;
        if (ms > 0) await startsIn(ms, entryOf(candidate, parts.maxInFlight));
        return { kind: 'send', candidate, lease };
      } else return decision;
    }
  };
}

/** Reads what the jobs need, in three statements at most, and asks the gate once for all of them. */
async function decideBatch(parts: AdmitParts, asking: Asking[]): Promise<Decision[]> {
  const { store, recent, clock, timers } = parts;
  const nowMs = clock.now();
  const readMs = timers.elapsed();
  const known = new Map(asking.map((one) => [one, knownOf(one, recent, { nowMs, readMs })]));
  const taken = new Map(asking.flatMap((one) => (one.taken ? [[one.taken.delivery, one.taken]] : [])));
  const unknown = asking.filter((one) => !known.get(one)).map(({ job }) => job.deliveryId);
  const deliveries = await readByIds(store, 'deliveries', unknown);
  const current = asking.map((one): Known | undefined => {
    const { job } = one;
    // A process with a fast clock started this job too early. The reconciler queues the delivery when it is due.
    if (job.dueAt > nowMs + toleratedSkewMs) return undefined;
    const delivery = known.get(one)?.delivery ?? deliveries.get(job.deliveryId);
    return delivery && isCurrent(delivery, job) ? { ...known.get(one), delivery } : undefined;
  });
  const incomplete = current.filter((one) => one !== undefined);
  if (incomplete.length === 0) return asking.map(() => stale);
  const eventIds = incomplete.filter(({ event }) => !event).map(({ delivery }) => delivery.event_id);
  const endpointIds = incomplete.filter(({ endpoint }) => !endpoint).map(({ delivery }) => delivery.endpoint_id);
  const [events, endpoints] = await Promise.all([
    readByIds(store, 'events', eventIds),
    readByIds(store, 'endpoints', endpointIds),
  ]);
  const decisions = current.map((one) => {
    if (!one) return stale;
    const { delivery, event = events.get(delivery.event_id) } = one;
    const { endpoint = endpoints.get(delivery.endpoint_id), endpointReadMs = readMs } = one;
    // If the endpoint's order has changed, other deliveries are first.
    if (taken.has(delivery) && endpoint && event && orderKeyOf(endpoint, event) !== delivery.order_key) return stale;
    return decisionOn(delivery, event, endpoint, { nowMs, endpointReadMs, hooks: parts.hooks });
  });
  await releasePlaces(parts, decisions);
  const answered = await askGate(parts, decisions, taken);
  try {
    const isUnsure = ({ delivery }: Candidate) => {
      const sinceMs = taken.has(delivery) ? taken.get(delivery)?.readMs : readMs;
      return sinceMs === undefined || timers.elapsed() - sinceMs > knownForMs || !isNew(delivery) || asksForOneMore(delivery);
    };
    return await dropAnswered(parts, answered, isUnsure, taken);
  } catch (error) {
    // Without this, nobody would give the leases back.
    await parts.gate.leave(answered.flatMap((one) => (one.kind === 'admitted' ? [one.lease] : [])));
    throw error;
  }
}

const stale = { kind: 'stale' } as const;

/** What this process knows of a delivery without asking the store. */
type Known = Pick<Candidate, 'delivery'> & Partial<Candidate>;

function knownOf(
  { job, taken }: Asking,
  recent: RecentDeliveries,
  { nowMs, readMs }: { nowMs: number; readMs: number },
): Known | undefined {
  if (!taken) {
    const found = recent.take(job, nowMs);
    return found && { ...found, ...(found.endpoint && { endpointReadMs: readMs - found.ageMs }) };
  }
  const event = recent.takeEvent(job.deliveryId, nowMs);
  const { delivery, before } = taken;
  const isFresh = readMs - before.endpointReadMs < endpointTtlMs;
  return { delivery, ...(event && { event }), ...(isFresh && before) };
}

function decisionOn(
  delivery: Row<'deliveries'>,
  event: Row<'events'> | undefined,
  endpoint: Row<'endpoints'> | undefined,
  { nowMs, endpointReadMs, hooks }: { nowMs: number; endpointReadMs: number; hooks: AttemptHooks | undefined },
): Wanted {
  if (!event) return { kind: 'skip', delivery, reason: 'event_missing' };
  if (!endpoint || endpoint.deleted_at !== null) return { kind: 'skip', delivery, reason: 'endpoint_deleted' };
  const reason = whyNotSent(endpoint, event) ?? hooks?.skip?.(delivery, event, endpoint);
  if (reason) return { kind: 'skip', delivery, reason };
  const isHeld = endpoint.held_until !== null && endpoint.held_until > nowMs;
  return { kind: isHeld && !isUrgent(delivery) ? 'park' : 'ask', candidate: { delivery, event, endpoint, endpointReadMs } };
}

/** A delivery may have got a place in its lane, and its endpoint may have been held or disabled since. */
async function releasePlaces({ gate }: AdmitParts, decisions: Wanted[]): Promise<void> {
  const unused = decisions.flatMap((one) => {
    if (one.kind === 'skip') return [one.delivery];
    return one.kind === 'park' ? [one.candidate.delivery] : [];
  });
  if (unused.length > 0) await gate.release(unused.map(namesOf));
}

async function askGate(
  { gate, maxInFlight }: AdmitParts,
  decisions: Wanted[],
  taken: ReadonlyMap<Row<'deliveries'>, Taken>,
): Promise<Decision[]> {
  const asking = decisions.flatMap((one) => (one.kind === 'ask' ? [one.candidate] : []));
  const entries = asking.map((one) => ({ ...entryOf(one, maxInFlight), instead: taken.get(one.delivery)?.lease }));
  const answers = entries.length === 0 ? [] : await gate.enter(entries);
  const answered = new Map(asking.map((candidate, index) => [candidate, answers[index] as Entered]));
  return decisions.map((one) =>
    one.kind === 'ask' ? { ...(answered.get(one.candidate) as Entered), candidate: one.candidate } : one,
  );
}

/**
 * New rows that were read within this time are not read again under the lease, because a new delivery is unlikely to have a
 * second job so soon.
 */
const knownForMs = 50;

/** Returns true if no attempt of the delivery was made or put off, as far as the row says. */
const isNew = ({ attempts, next_attempt_at, created_at }: Row<'deliveries'>): boolean =>
  attempts === 0 && next_attempt_at === created_at;

/**
 * A delivery may have been read while one of its attempts ran. An operator may have asked for another attempt, or two processes
 * may have a job of it: a slow attempt leaves a job, in case its process dies. When the running attempt is recorded, it creates
 * another job, so this job is stale. Only a row that is read under the lease shows whether that happened.
 */
async function dropAnswered(
  { store, gate }: AdmitParts,
  decisions: Decision[],
  isUnsure: (candidate: Candidate) => boolean,
  taken: ReadonlyMap<Row<'deliveries'>, Taken>,
): Promise<Decision[]> {
  const unsure = decisions.flatMap((one) => (one.kind === 'admitted' && isUnsure(one.candidate) ? [one] : []));
  if (unsure.length === 0) return decisions;
  const ids = unsure.map(({ candidate }) => candidate.delivery.id);
  const now = await readByIds(store, 'deliveries', ids);
  const answered = unsure.filter(({ candidate: { delivery } }) => {
    const row = now.get(delivery.id);
    if (row?.status !== 'pending' || row.attempts !== delivery.attempts) return true;
    // True if its lane has released the delivery meanwhile. Its own job then makes the attempt.
    return taken.has(delivery) && (!row.parked || row.updated_at !== delivery.updated_at);
  });
  if (answered.length === 0) return decisions;
  await gate.leave(answered.map(({ lease }) => lease));
  const dropped = new Set<Decision>(answered);
  return decisions.map((one) => (dropped.has(one) ? stale : one));
}

/** Returns an attempt's request to the gate. */
export function entryOf({ delivery, endpoint }: Pick<Candidate, 'delivery' | 'endpoint'>, maxInFlight: number): Entry {
  const { id, max_in_flight, max_per_second, ordered } = endpoint;
  return {
    endpointId: id,
    deliveryId: delivery.id,
    maxInFlight: maxInFlightAt(endpoint, maxInFlight),
    maxPerSecond: max_per_second,
    urgent: isUrgent(delivery),
    strict: ordered || max_in_flight !== null || max_per_second !== null,
  };
}

/**
 * Returns 1 for an endpoint that is ordered as a whole. Also returns 1 if the endpoint's hold is over, to try it with a single
 * attempt.
 */
export function maxInFlightAt(endpoint: Row<'endpoints'>, maxInFlight: number): number {
  const isSingle = endpoint.ordered && endpoint.order_by === 'endpoint';
  return isSingle || endpoint.held_until !== null ? 1 : (endpoint.max_in_flight ?? maxInFlight);
}

async function readByIds<T extends 'deliveries' | 'events' | 'endpoints'>(
  store: Store,
  table: T,
  ids: string[],
): Promise<Map<string, Row<T>>> {
  if (ids.length === 0) return new Map();
  const rows = await store.list(table, { where: { id: { in: [...new Set(ids)] } } as Where<T> });
  return new Map(rows.map((row) => [row.id, row]));
}
