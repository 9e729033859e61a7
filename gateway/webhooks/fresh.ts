import type { Job } from '../queue/port.ts';
import type { Row } from '../store/tables.ts';
import { isCurrent } from './jobs.ts';

export interface FreshDelivery {
  delivery: Row<'deliveries'>;
  event: Row<'events'>;
  /** As it was when the delivery was made. */
  endpoint?: Row<'endpoints'>;
}

/** How long a delivery counts as just made; what changes meanwhile is seen when its attempt is recorded. */
const freshMs = 5000;
/** How long its endpoint does: what an operator changes of it counts from then on at the latest. */
const freshEndpointMs = 500;
const most = 10_000;
const mostEndpoints = 1000;

/**
 * Deliveries that this process has just made, each given out once, and the endpoints that were read for them: their first
 * attempts need not read them.
 */
export class Fresh {
  readonly #kept = new Map<string, FreshDelivery>();
  readonly #endpoints = new Map<string, { endpoint: Row<'endpoints'>; readAt: number }>();

  put(one: FreshDelivery): void {
    const { id, created_at } = one.delivery;
    for (const [oldest, { delivery }] of this.#kept) {
      if (this.#kept.size < most || created_at - delivery.created_at < freshMs) break;
      this.#kept.delete(oldest);
    }
    // Jobs come in this order too: of more than can be kept, the first are wanted first.
    if (this.#kept.size < most) this.#kept.set(id, one);
  }

  take(job: Job, nowMs: number): FreshDelivery | undefined {
    const found = this.#kept.get(job.deliveryId);
    this.#kept.delete(job.deliveryId);
    const ageMs = found ? nowMs - found.delivery.created_at : 0;
    if (!found || ageMs >= freshMs || !isCurrent(found.delivery, job)) return undefined;
    if (found.endpoint && ageMs < freshEndpointMs) return found;
    const { delivery, event } = found;
    const known = this.#endpoints.get(delivery.endpoint_id);
    const recent = known && nowMs - known.readAt < freshEndpointMs ? { endpoint: known.endpoint } : {};
    return { delivery, event, ...recent };
  }

  /** Endpoints that were read just now. One that is held is read each time: it may be let go any moment. */
  putEndpoints(endpoints: Iterable<Row<'endpoints'>>, nowMs: number): void {
    if (this.#endpoints.size > mostEndpoints) this.#endpoints.clear();
    for (const endpoint of endpoints) {
      if (endpoint.held_until === null) this.#endpoints.set(endpoint.id, { endpoint, readAt: nowMs });
      else this.#endpoints.delete(endpoint.id);
    }
  }

  /** After an attempt that failed: it may be held now. */
  forgetEndpoint(id: string): void {
    this.#endpoints.delete(id);
  }
}
