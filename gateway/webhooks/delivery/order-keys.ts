import type { Rows, Where } from '../../store/port.ts';
import { type Row, tables } from '../../store/tables/index.ts';

type Delivery = Row<'deliveries'>;
const columns = Object.keys(tables.deliveries.columns) as (keyof Delivery)[];
export type OrderedRow = Pick<Row<'deliveries'>, 'endpoint_id' | 'order_key'>;

/** `parked` deliveries have no key if their endpoint was not ordered when they were made. */
type Key = string | null;

/** The least keys that are read at once: most may be blocked. */
const leastRead = 50;

/**
 * The keys of ordered endpoints of which a delivery may be released: one was parked or ended in this process, or nobody knows.
 * So a check reads these, and not the lane: its first deliveries may all be of keys that are blocked.
 */
export class OrderKeys {
  /** By endpoint. */
  readonly #keys = new Map<string, Set<Key>>();
  /** Endpoints whose keys must be read from the store. */
  readonly #unknown = new Set<string>();

  add({ endpoint_id, order_key }: OrderedRow): void {
    const keys = this.#keys.get(endpoint_id) ?? new Set();
    this.#keys.set(endpoint_id, keys.add(order_key));
  }

  addAll(endpointId: string): void {
    this.#unknown.add(endpointId);
  }

  /** Call it for an endpoint that is not ordered by key, or to which nothing is sent any more. */
  forget(endpointId: string): void {
    this.#keys.delete(endpointId);
    this.#unknown.delete(endpointId);
  }

  isEmpty(endpointId: string): boolean {
    return !this.#keys.has(endpointId) && !this.#unknown.has(endpointId);
  }

  /**
   * Returns deliveries of an endpoint that are the first of their keys and parked, the oldest ones first. Forgets their keys, and
   * those that have none: add the keys of what is not released.
   */
  async firsts(rows: Rows, endpoint: Row<'endpoints'>, atMost: number): Promise<Delivery[]> {
    const endpointId = endpoint.id;
    if (this.#unknown.delete(endpointId)) await this.#readAll(rows, endpointId);
    const found: Delivery[] = [];
    while (found.length < atMost) {
      const keys = this.#take(endpointId, Math.max(atMost, leastRead));
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
    const keys = this.#keys.get(endpointId) ?? new Set();
    const taken = [...keys.values().take(atMost)];
    for (const key of taken) keys.delete(key);
    if (keys.size === 0) this.#keys.delete(endpointId);
    return taken;
  }
}

async function firstsOf(rows: Rows, { id, on_dead_letter }: Row<'endpoints'>, keys: readonly Key[]): Promise<Delivery[]> {
  const values = keys.filter((key) => key !== null);
  const holding: readonly string[] = on_dead_letter === 'block' ? ['pending', 'failed'] : ['pending'];
  const query = { of: 'order_key', by: 'event_id', columns, limit: 1, oldest: true } as const;
  const withoutKey = { endpoint_id: id, order_key: null, parked: true };
  // Without a status, because PostgreSQL would read all pending deliveries for each key.
  const [firsts, unordered] = await Promise.all([
    values.length === 0 ? [] : rows.newest('deliveries', { ...query, values }),
    values.length === keys.length
      ? []
      : rows.list('deliveries', { where: withoutKey, order: [['event_id', 'asc']], limit: leastRead }),
  ]);
  // A process of the version before leaves the key of what it ends.
  const passed = firsts.filter(({ status }) => !holding.includes(status)).map(({ order_key }) => order_key as string);
  const where = { status: { in: holding } } as Where<'deliveries'>;
  const next = passed.length === 0 ? [] : await rows.newest('deliveries', { ...query, values: passed, where });
  return [...firsts.filter(({ parked }) => parked), ...next.filter((one) => one.parked), ...unordered];
}
