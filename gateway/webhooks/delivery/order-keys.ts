import type { Rows } from '../../store/port.ts';
import { type Row, tables } from '../../store/tables/index.ts';
import { parkedFor } from '../model/lane.ts';

type Delivery = Row<'deliveries'>;
const columns = Object.keys(tables.deliveries.columns) as (keyof Delivery)[];
export type OrderedRow = Pick<Row<'deliveries'>, 'endpoint_id' | 'order_key'>;

/** `parked` deliveries have no key if their endpoint was not ordered when they were made. */
type Key = string | null;

/** Deliveries without a key that are read at once. */
const mostUnordered = 50;

/**
 * The keys of ordered endpoints that may have a delivery to release, because one was parked or ended in this process, or because
 * this is not known. A check reads these keys and not the lane, because the first deliveries of the lane may all have blocked
 * keys.
 */
export class OrderKeys {
  /** By endpoint. */
  readonly #keys = new Map<string, Set<Key>>();
  /** Endpoints whose keys must be read from the store. */
  readonly #unknown = new Set<string>();
  /** The keys with an attempt in this process, by endpoint. Their other deliveries wait until this attempt ends. */
  readonly #busy = new Map<string, Set<Key>>();

  add({ endpoint_id, order_key }: OrderedRow): void {
    const keys = this.#keys.get(endpoint_id) ?? new Set();
    this.#keys.set(endpoint_id, keys.add(order_key));
  }

  /** Call it when an attempt begins, and `end` when nothing is taken after it. */
  begin({ endpoint_id, order_key }: OrderedRow): void {
    const busy = this.#busy.get(endpoint_id) ?? new Set();
    this.#busy.set(endpoint_id, busy.add(order_key));
  }

  end({ endpoint_id, order_key }: OrderedRow): void {
    const busy = this.#busy.get(endpoint_id);
    busy?.delete(order_key);
    if (busy?.size === 0) this.#busy.delete(endpoint_id);
  }

  addAll(endpointId: string): void {
    this.#unknown.add(endpointId);
  }

  /** Call it for an endpoint that is not ordered by key, or to which nothing is sent any more. */
  forget(endpointId: string): void {
    this.#keys.delete(endpointId);
    this.#unknown.delete(endpointId);
  }

  /** Returns true if nothing may be released, as far as this process knows. */
  isEmpty(endpointId: string): boolean {
    return !this.#unknown.has(endpointId) && this.#free(endpointId).next().done === true;
  }

  /**
   * Returns deliveries of an endpoint that are the first of their keys and parked, the oldest ones first. Forgets their keys, and
   * the keys without such a delivery. Call `add` for the deliveries that are not released.
   */
  async firsts(rows: Rows, endpoint: Row<'endpoints'>, atMost: number): Promise<Delivery[]> {
    const endpointId = endpoint.id;
    if (this.#unknown.delete(endpointId)) await this.#readAll(rows, endpointId);
    const found: Delivery[] = [];
    // Most keys may be blocked, so each read takes more of them.
    for (let most = atMost; found.length < atMost; most *= 2) {
      const keys = this.#take(endpointId, most);
      if (keys.length === 0) break;
      found.push(...(await firstsOf(rows, endpoint, keys)));
    }
    found.sort((one, other) => (one.event_id < other.event_id ? -1 : 1));
    for (const one of found.splice(atMost)) this.add(one);
    return found;
  }

  async #readAll(rows: Rows, endpointId: string): Promise<void> {
    const where = { endpoint_id: endpointId, parked: true };
    const keys = await rows.summarize('deliveries', { where, by: ['order_key'] });
    for (const { order_key } of keys) this.add({ endpoint_id: endpointId, order_key });
  }

  /** Removes keys, those that were added first. */
  #take(endpointId: string, atMost: number): Key[] {
    const taken = [...this.#free(endpointId).take(atMost)];
    const keys = this.#keys.get(endpointId);
    for (const key of taken) keys?.delete(key);
    if (keys?.size === 0) this.#keys.delete(endpointId);
    return taken;
  }

  /** The keys without an attempt in this process. */
  #free(endpointId: string): IteratorObject<Key> {
    const busy = this.#busy.get(endpointId);
    return (this.#keys.get(endpointId) ?? new Set<Key>()).values().filter((key) => !busy?.has(key));
  }
}

export const firstOfEach = { of: 'order_key', by: 'event_id', columns, limit: 1, oldest: true } as const;

async function firstsOf(rows: Rows, { id }: Row<'endpoints'>, keys: readonly Key[]): Promise<Delivery[]> {
  const values = keys.filter((key) => key !== null);
  const { where: inLane, order } = parkedFor(id);
  // Without a status, because PostgreSQL would read all pending deliveries for each key.
  const [firsts, unordered] = await Promise.all([
    values.length === 0 ? [] : rows.newest('deliveries', { ...firstOfEach, values }),
    values.length === keys.length
      ? []
      : rows.list('deliveries', { where: { ...inLane, order_key: null }, order, limit: mostUnordered }),
  ]);
  return [...firsts.filter(({ parked }) => parked), ...unordered];
}
