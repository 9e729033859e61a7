import type { Entry, Gate } from '../../queue/gate/port.ts';
import type { Job } from '../../queue/port.ts';
import type { Store, Where } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import type { SkipReason } from '../../store/tables/webhooks.ts';
import { isCurrent, outOfTurn } from '../model/jobs.ts';
import type { Fresh } from '../outbox/fresh.ts';

/** A delivery that is owed an attempt, with what the attempt needs. */
export interface Owed {
  delivery: Row<'deliveries'>;
  event: Row<'events'>;
  endpoint: Row<'endpoints'>;
}

/** What a job comes to: `full` while the endpoint has no room for another attempt, `park` while it is held. */
export type Admission =
  | { kind: 'nothing' }
  | { kind: 'skip'; delivery: Row<'deliveries'>; reason: SkipReason }
  | { kind: 'park' | 'go' | 'full'; owed: Owed };

export interface AdmitParts {
  store: Store;
  gate: Gate;
  /** What the fan-out of this process has just made. */
  fresh: Fresh;
  /** Attempts in flight at once at an endpoint that says nothing else. */
  maxInFlight: number;
}

/** Reads what the jobs of a group need, in three statements at most, and asks the gate for all of them at once. */
export async function admit(parts: AdmitParts, jobs: Job[], nowMs: number): Promise<Admission[]> {
  const { store, fresh } = parts;
  const made = new Map(jobs.map((job) => [job, fresh.take(job, nowMs)]));
  const stored = jobs.filter((job) => !made.get(job)).map(({ deliveryId }) => deliveryId);
  const deliveries = await readByIds(store, 'deliveries', stored);
  const current = jobs.map((job) => {
    const delivery = made.get(job)?.delivery ?? deliveries.get(job.deliveryId);
    return delivery && isCurrent(delivery, job) ? { ...made.get(job), delivery } : undefined;
  });
  const wanted = current.filter((one) => one !== undefined);
  if (wanted.length === 0) return jobs.map(() => nothing);
  const eventIds = wanted.filter(({ event }) => !event).map(({ delivery }) => delivery.event_id);
  const endpointIds = wanted.filter(({ endpoint }) => !endpoint).map(({ delivery }) => delivery.endpoint_id);
  const [events, endpoints] = await Promise.all([
    readByIds(store, 'events', eventIds),
    readByIds(store, 'endpoints', endpointIds),
  ]);
  const judged = current.map((one) => {
    if (!one) return nothing;
    const { delivery, event = events.get(delivery.event_id), endpoint = endpoints.get(delivery.endpoint_id) } = one;
    return standing(delivery, event, endpoint, nowMs);
  });
  return pastTheGate(parts, judged);
}

const nothing: Admission = { kind: 'nothing' };

function standing(
  delivery: Row<'deliveries'>,
  event: Row<'events'> | undefined,
  endpoint: Row<'endpoints'> | undefined,
  nowMs: number,
): Admission {
  if (!event) return { kind: 'skip', delivery, reason: 'event_missing' };
  if (!endpoint || endpoint.deleted_at !== null) return { kind: 'skip', delivery, reason: 'endpoint_deleted' };
  if (!endpoint.active) return { kind: 'skip', delivery, reason: 'endpoint_disabled' };
  const owed = { delivery, event, endpoint };
  const held = endpoint.held_until !== null && endpoint.held_until > nowMs;
  return { kind: held && !outOfTurn(delivery) ? 'park' : 'go', owed };
}

async function pastTheGate({ gate, maxInFlight }: AdmitParts, judged: Admission[]): Promise<Admission[]> {
  const asking = judged.flatMap((one) => (one.kind === 'go' ? [one.owed] : []));
  if (asking.length === 0) return judged;
  const waits = await gate.enter(asking.map((owed) => entryOf(owed, maxInFlight)));
  const refused = new Set(asking.filter((_, index) => typeof waits[index] === 'number'));
  return judged.map((one) => (one.kind === 'go' && refused.has(one.owed) ? { kind: 'full', owed: one.owed } : one));
}

/** How an attempt asks at the gate. One that an operator asked for asks too, so that it is counted, but is never refused. */
export function entryOf({ delivery, endpoint }: Pick<Owed, 'delivery' | 'endpoint'>, maxInFlight: number): Entry {
  const limits = outOfTurn(delivery)
    ? { maxInFlight: Number.MAX_SAFE_INTEGER, maxPerSecond: null }
    : { maxInFlight: roomOf(endpoint, maxInFlight), maxPerSecond: endpoint.max_per_second };
  return { endpointId: endpoint.id, deliveryId: delivery.id, ...limits };
}

/** One at a time keeps an order, and tries whether an endpoint that was held is well again. */
export function roomOf(endpoint: Row<'endpoints'>, maxInFlight: number): number {
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
