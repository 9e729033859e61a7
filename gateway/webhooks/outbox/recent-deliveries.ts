import type { Job } from '../../queue/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { isCurrent } from '../model/jobs.ts';

export interface NewDelivery {
  delivery: Row<'deliveries'>;
  event: Row<'events'>;
  /** The endpoint's row when the delivery was created, if it was read then. */
  endpoint?: Row<'endpoints'>;
}

interface Cached extends NewDelivery {
  /** How long ago the delivery was created. */
  ageMs: number;
}

/** For how long a delivery is cached. A change in the meantime is detected when its attempt is recorded. */
const deliveryTtlMs = 5000;
/** For how long an endpoint is cached: an operator's change of an endpoint takes effect after this at the latest. */
export const endpointTtlMs = 500;
const maxDeliveries = 10_000;

/** A cache of the deliveries that this process has just created, so that their first attempt reads nothing from the store. */
export class RecentDeliveries {
  readonly #cached = new Map<string, NewDelivery>();

  put(created: NewDelivery): void {
    const { id, created_at } = created.delivery;
    for (const [oldest, { delivery }] of this.#cached) {
      if (created_at - delivery.created_at < deliveryTtlMs) break;
      this.#cached.delete(oldest);
    }
    // Jobs run in this order too, so in a full cache the older deliveries are needed first.
    if (this.#cached.size < maxDeliveries) this.#cached.set(id, created);
  }

  /** Returns and removes the job's delivery; undefined if it is not cached, too old, or not what the job is for. */
  take(job: Job, nowMs: number): Cached | undefined {
    const found = this.#take(job.deliveryId, nowMs);
    if (!found || !isCurrent(found.delivery, job)) return undefined;
    const { endpoint: _old, ...withoutEndpoint } = found;
    return found.ageMs < endpointTtlMs ? found : withoutEndpoint;
  }

  /** Returns the event of a delivery whose row was read after it was cached, and removes it. */
  takeEvent(deliveryId: string, nowMs: number): Row<'events'> | undefined {
    return this.#take(deliveryId, nowMs)?.event;
  }

  #take(id: string, nowMs: number): Cached | undefined {
    const found = this.#cached.get(id);
    this.#cached.delete(id);
    const ageMs = found ? nowMs - found.delivery.created_at : 0;
    return found && ageMs < deliveryTtlMs ? { ...found, ageMs } : undefined;
  }
}
