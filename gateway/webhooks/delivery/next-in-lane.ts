import type { Timers } from '../../base/clock.ts';
import type { Lease } from '../../queue/gate/port.ts';
import type { Store } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { parkedFor } from '../model/lane.ts';
import { isOrderedByKey } from '../model/order-key.ts';
import type { Candidate, Taken } from './admit.ts';
import type { Lanes } from './lanes.ts';
import { firstOfEach } from './order-keys.ts';
import type { SlowShares } from './shares.ts';
import { batched } from './stage.ts';

type Delivery = Row<'deliveries'>;

export interface NextParts {
  store: Store;
  timers: Timers;
  lanes: Pick<Lanes, 'mayHold' | 'taken'>;
  slow: Pick<SlowShares, 'has'>;
  random(): number;
}

/** An attempt that has ended its delivery, and still holds its lease. */
interface Ended {
  candidate: Candidate;
  lease: Lease;
}

/**
 * The delivery that waits behind another one; null if there is none. Undefined if only the lane can say so, for example when a
 * dead letter blocks.
 */
type Next = Taken | null | undefined;

/** A page of a lane: its deliveries are read together, for attempts that follow. */
const pageSize = 100;
/** Each process reads one of the first pages, at random. So several seldom choose the same delivery; the gate refuses the second one. */
const pages = 5;
/** How long a page is used. */
const pageMs = 500;

/**
 * Finds what an ended attempt may go on with, so that it needs no job of its own: the next delivery of its key, or one that waits
 * in its endpoint's lane. A delivery that is taken stays in its lane until its attempt is recorded.
 */
export class NextInLane {
  readonly #parts: NextParts;
  readonly #firstOfKey: (key: string) => Promise<Delivery | null>;
  /** What this process may take out of lanes without order, by endpoint. */
  readonly #pages = new Map<string, Promise<Delivery[]>>();

  constructor(parts: NextParts) {
    const { store } = parts;
    this.#parts = parts;
    this.#firstOfKey = batched('next of a key', async (keys: string[]) => {
      const firsts = await store.newest('deliveries', { ...firstOfEach, values: [...new Set(keys)] });
      const byKey = new Map(firsts.map((one) => [one.order_key, one]));
      return keys.map((key) => byKey.get(key) ?? null);
    });
  }

  async after({ candidate: { endpoint, endpointReadMs, delivery }, lease }: Ended): Promise<Next> {
    const { timers, lanes, slow } = this.#parts;
    const before = { endpoint, endpointReadMs };
    if (isOrderedByKey(endpoint) && delivery.order_key !== null) {
      const readMs = timers.elapsed();
      const first = await this.#firstOfKey(delivery.order_key).catch(() => undefined);
      if (first === null) return null;
      return isWaiting(first) ? { delivery: { ...first, parked: false }, before, readMs, lease } : undefined;
    }
    const { id, ordered, held_until } = endpoint;
    if (ordered || held_until !== null || slow.has(id) || !lanes.mayHold(id)) return undefined;
    const some = await this.#someOfLane(id).catch(() => undefined);
    return some && { delivery: { ...some, parked: false }, before, readMs: undefined, lease };
  }

  /** Call it when the attempt of what was taken has ended, or may not begin. */
  ended({ id }: Pick<Delivery, 'id'>): void {
    this.#parts.lanes.taken.delete(id);
  }

  async #someOfLane(endpointId: string): Promise<Delivery | undefined> {
    const reading = this.#pages.get(endpointId) ?? this.#readPage(endpointId);
    const page = await reading;
    const at = page.findIndex(({ id }) => !this.#parts.lanes.taken.has(id));
    const [one] = page.splice(0, at < 0 ? page.length : at + 1).slice(-1);
    if (page.length === 0 && this.#pages.get(endpointId) === reading) this.#pages.delete(endpointId);
    if (at < 0 || !one) return undefined;
    this.#parts.lanes.taken.add(one.id);
    return one;
  }

  #readPage(endpointId: string): Promise<Delivery[]> {
    const { store, timers, random } = this.#parts;
    const read = (offset: number) => store.list('deliveries', { ...parkedFor(endpointId), limit: pageSize, offset });
    const offset = Math.floor(random() * pages) * pageSize;
    const page = read(offset).then((rows) => (rows.length > 0 || offset === 0 ? rows : read(0)));
    this.#pages.set(endpointId, page);
    timers.after(pageMs, () => {
      if (this.#pages.get(endpointId) === page) this.#pages.delete(endpointId);
    });
    return page;
  }
}

const isWaiting = (delivery: Delivery | null | undefined): delivery is Delivery =>
  delivery?.status === 'pending' && delivery.parked;
