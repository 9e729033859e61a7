import type { Job } from '../../queue/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { isCurrent } from '../model/jobs.ts';

export interface NewDelivery {
  delivery: Row<'deliveries'>;
  event: Row<'events'>;
  /** The endpoint's row when the delivery was created, if it was read then. */
  endpoint?: Row<'endpoints'>;
}

/** For how long a delivery is cached. A change in the meantime is detected when its attempt is recorded. */
const deliveryTtlMs = 5000;
/** For how long its endpoint is cached: an operator's change of an endpoint takes effect after this at the latest. */
const endpointTtlMs = 500;
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
  take(job: Job, nowMs: number): NewDelivery | undefined {
    const found = this.#cached.get(job.deliveryId);
    this.#cached.delete(job.deliveryId);
    const ageMs = found ? nowMs - found.delivery.created_at : 0;
    if (!found || ageMs >= deliveryTtlMs || !isCurrent(found.delivery, job)) return undefined;
    return ageMs < endpointTtlMs ? found : { delivery: found.delivery, event: found.event };
  }
}
