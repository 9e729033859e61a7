import type { Job } from '../queue/port.ts';
import type { Row } from '../store/tables.ts';
import { isCurrent } from './jobs.ts';

export interface FreshDelivery {
  delivery: Row<'deliveries'>;
  event: Row<'events'>;
}

/** How long a delivery counts as just made; what changes meanwhile is seen when its attempt is recorded. */
const freshMs = 30_000;
const most = 10_000;

/** Deliveries that this process has just made: their first attempt need not read them. Each is given out once. */
export class Fresh {
  readonly #kept = new Map<string, FreshDelivery>();

  put(one: FreshDelivery): void {
    this.#kept.set(one.delivery.id, one);
    if (this.#kept.size > most) this.#kept.delete(this.#kept.keys().next().value as string);
  }

  take(job: Job, nowMs: number): FreshDelivery | undefined {
    const found = this.#kept.get(job.deliveryId);
    this.#kept.delete(job.deliveryId);
    return found && nowMs - found.delivery.created_at < freshMs && isCurrent(found.delivery, job) ? found : undefined;
  }
}
