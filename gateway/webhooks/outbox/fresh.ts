import type { Job } from '../../queue/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { isCurrent } from '../model/jobs.ts';

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

/** Deliveries that this process has just made: their first attempt need not read them. Each is given out once. */
export class Fresh {
  readonly #kept = new Map<string, FreshDelivery>();

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
    return ageMs < freshEndpointMs ? found : { delivery: found.delivery, event: found.event };
  }
}
