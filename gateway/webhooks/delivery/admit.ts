import type { Clock } from '../../base/clock.ts';
import type { Entry, Gate } from '../../queue/gate/port.ts';
import type { Job } from '../../queue/port.ts';
import type { Store, Where } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import type { SkipReason } from '../../store/tables/webhooks.ts';
import { isCurrent, isUrgent } from '../model/jobs.ts';
import type { RecentDeliveries } from '../outbox/recent-deliveries.ts';
import type { InFlight } from './in-flight.ts';
import { batched, type Stage } from './stage.ts';

/** A delivery that is due, with the rows that its attempt needs. */
export interface Candidate {
  delivery: Row<'deliveries'>;
  event: Row<'events'>;
  endpoint: Row<'endpoints'>;
}

/** A delivery that ends without this attempt. */
export interface Skipped {
  delivery: Row<'deliveries'>;
  reason: SkipReason;
}

export type Admission = { kind: 'stale' } | ({ kind: 'skip' } & Skipped) | { kind: 'park' | 'send'; candidate: Candidate };

/** `full`: the endpoint has no room for another attempt now. */
type Decision = Admission | { kind: 'full'; candidate: Candidate };

export interface AdmitParts {
  store: Store;
  gate: Gate;
  clock: Clock;
  recent: RecentDeliveries;
  inFlight: InFlight;
  /** Attempts in flight at once at an endpoint without a limit of its own. */
  maxInFlight: number;
}

/** The stage that decides what happens to a job. An admitted one (`send`) holds a lease of the gate. */
export function admitStage(parts: AdmitParts): Stage<Job, Admission> {
  const decide = batched<Job, Decision>('admit', (jobs) => decideBatch(parts, jobs));
  return async (job) => {
    for (;;) {
      const decision = await decide(job);
      if (decision.kind !== 'full') return decision;
      const { candidate } = decision;
      // A fast receiver has room again in a moment. Waiting for it is cheaper than parking.
      if (!(await parts.inFlight.waitForRoom(candidate.endpoint.id))) return { kind: 'park', candidate };
    }
  };
}

/** Reads what the jobs need, in three statements at most, and asks the gate once for all of them. */
async function decideBatch(parts: AdmitParts, jobs: Job[]): Promise<Decision[]> {
  const { store, recent, clock } = parts;
  const nowMs = clock.now();
  const cached = new Map(jobs.map((job) => [job, recent.take(job, nowMs)]));
  const uncached = jobs.filter((job) => !cached.get(job)).map(({ deliveryId }) => deliveryId);
  const deliveries = await readByIds(store, 'deliveries', uncached);
  const current = jobs.map((job) => {
    const delivery = cached.get(job)?.delivery ?? deliveries.get(job.deliveryId);
    return delivery && isCurrent(delivery, job) ? { ...cached.get(job), delivery } : undefined;
  });
  const incomplete = current.filter((one) => one !== undefined);
  if (incomplete.length === 0) return jobs.map(() => stale);
  const eventIds = incomplete.filter(({ event }) => !event).map(({ delivery }) => delivery.event_id);
  const endpointIds = incomplete.filter(({ endpoint }) => !endpoint).map(({ delivery }) => delivery.endpoint_id);
  const [events, endpoints] = await Promise.all([
    readByIds(store, 'events', eventIds),
    readByIds(store, 'endpoints', endpointIds),
  ]);
  const decisions = current.map((one) => {
    if (!one) return stale;
    const { delivery, event = events.get(delivery.event_id), endpoint = endpoints.get(delivery.endpoint_id) } = one;
    return decisionOn(delivery, event, endpoint, nowMs);
  });
  return askGate(parts, decisions);
}

const stale: Decision = { kind: 'stale' };

function decisionOn(
  delivery: Row<'deliveries'>,
  event: Row<'events'> | undefined,
  endpoint: Row<'endpoints'> | undefined,
  nowMs: number,
): Decision {
  if (!event) return { kind: 'skip', delivery, reason: 'event_missing' };
  if (!endpoint || endpoint.deleted_at !== null) return { kind: 'skip', delivery, reason: 'endpoint_deleted' };
  if (!endpoint.active) return { kind: 'skip', delivery, reason: 'endpoint_disabled' };
  const isHeld = endpoint.held_until !== null && endpoint.held_until > nowMs;
  return { kind: isHeld && !isUrgent(delivery) ? 'park' : 'send', candidate: { delivery, event, endpoint } };
}

async function askGate({ gate, maxInFlight }: AdmitParts, decisions: Decision[]): Promise<Decision[]> {
  const asking = decisions.flatMap((one) => (one.kind === 'send' ? [one.candidate] : []));
  if (asking.length === 0) return decisions;
  const waits = await gate.enter(asking.map((candidate) => entryOf(candidate, maxInFlight)));
  const refused = new Set(asking.filter((_, index) => typeof waits[index] === 'number'));
  return decisions.map((one) => (one.kind === 'send' && refused.has(one.candidate) ? { ...one, kind: 'full' } : one));
}

/** Returns an attempt's request to the gate. An urgent attempt is counted like any other, but never refused. */
export function entryOf({ delivery, endpoint }: Pick<Candidate, 'delivery' | 'endpoint'>, maxInFlight: number): Entry {
  const limits = isUrgent(delivery)
    ? { maxInFlight: Number.MAX_SAFE_INTEGER, maxPerSecond: null }
    : { maxInFlight: maxInFlightAt(endpoint, maxInFlight), maxPerSecond: endpoint.max_per_second };
  return { endpointId: endpoint.id, deliveryId: delivery.id, ...limits };
}

/** Returns 1 for an ordered endpoint, to keep the order, and for one whose hold is over, to try it with a single attempt. */
export function maxInFlightAt(endpoint: Row<'endpoints'>, maxInFlight: number): number {
  return endpoint.ordered || endpoint.held_until !== null ? 1 : (endpoint.max_in_flight ?? maxInFlight);
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
