import type { Entry, Gate } from '../queue/gate.ts';
import type { Job } from '../queue/port.ts';
import type { Store } from '../store/port.ts';
import type { Row } from '../store/tables.ts';
import { isCurrent, outOfTurn } from './jobs.ts';

/** A delivery that is owed an attempt, with what the attempt needs. */
export interface Owed {
  delivery: Row<'deliveries'>;
  event: Row<'events'>;
  endpoint: Row<'endpoints'>;
}

/** What a job comes to: `full` while the endpoint has no room for another attempt, `park` while it is held. */
export type Admission =
  | { kind: 'nothing' }
  | { kind: 'skip'; delivery: Row<'deliveries'>; reason: string }
  | { kind: 'park' | 'go'; owed: Owed }
  | { kind: 'full'; owed: Owed; waitMs: number };

export interface AdmitParts {
  store: Store;
  gate: Gate;
  /** Attempts in flight at once at an endpoint that says nothing else. */
  maxInFlight: number;
}

/** Reads what the jobs of a group need, in three statements, and asks the gate for all of them at once. */
export async function admit(parts: AdmitParts, jobs: Job[], nowMs: number): Promise<Admission[]> {
  const { store } = parts;
  const deliveries = byId(await store.list('deliveries', { where: { id: { in: jobs.map(({ deliveryId }) => deliveryId) } } }));
  const current = jobs.map((job) => {
    const delivery = deliveries.get(job.deliveryId);
    return delivery && isCurrent(delivery, job) ? delivery : undefined;
  });
  const wanted = current.filter((delivery) => delivery !== undefined);
  if (wanted.length === 0) return jobs.map(() => ({ kind: 'nothing' }));
  const [events, endpoints] = await Promise.all([
    store.list('events', { where: { id: { in: unique(wanted.map(({ event_id }) => event_id)) } } }).then(byId),
    store.list('endpoints', { where: { id: { in: unique(wanted.map(({ endpoint_id }) => endpoint_id)) } } }).then(byId),
  ]);
  const judged = current.map((delivery) =>
    delivery ? standing(delivery, events.get(delivery.event_id), endpoints.get(delivery.endpoint_id), nowMs) : nothing,
  );
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
  const entries = judged.map((one) => (one.kind === 'go' ? entryOf(one.owed, maxInFlight) : undefined));
  const asked = entries.filter((entry) => entry !== undefined);
  if (asked.length === 0) return judged;
  const answers = await gate.enter(asked);
  let index = 0;
  return judged.map((one, position) => {
    if (one.kind !== 'go' || !entries[position]) return one;
    const waitMs = answers[index++] ?? null;
    return waitMs === null ? one : { kind: 'full', owed: one.owed, waitMs };
  });
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

const unique = (ids: string[]): string[] => [...new Set(ids)];

function byId<R extends { id: string }>(rows: R[]): Map<string, R> {
  return new Map(rows.map((row) => [row.id, row]));
}
