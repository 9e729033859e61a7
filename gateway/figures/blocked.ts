import { waitingCountedTo } from '../base/causes/cause.ts';
import type { Rows } from '../store/port.ts';
import type { Row } from '../store/tables/index.ts';

/** Dead letters of an endpoint for which the deliveries behind them wait, until a person acts. */
export interface Blocked {
  /** When the oldest of them became a dead letter. */
  since: number;
  blocking: number;
  /** The deliveries behind them, if they are counted. */
  waiting?: number | null;
}

/** Only a dead letter that blocks keeps its key. */
const deadLetters = { status: 'failed', order_key: { not: null } } as const;

/**
 * Returns what blocks each endpoint that has blocking dead letters; with `ids` only these endpoints. Two queries read it for all.
 */
export async function blockedEndpoints(rows: Rows, ids?: readonly string[]): Promise<Map<string, Blocked>> {
  if (ids?.length === 0) return new Map();
  const where = { ...deadLetters, ...(ids && { endpoint_id: { in: ids } }) };
  const counts = await rows.summarize('deliveries', { where, by: ['endpoint_id'] });
  if (counts.length === 0) return new Map();
  const oldest = await rows.newest('deliveries', {
    of: 'endpoint_id',
    by: 'id',
    values: counts.map(({ endpoint_id }) => endpoint_id),
    where: deadLetters,
    columns: ['endpoint_id', 'updated_at'],
    limit: 1,
    oldest: true,
  });
  const since = new Map(oldest.map(({ endpoint_id, updated_at }) => [endpoint_id, updated_at]));
  return new Map(
    counts.flatMap(({ endpoint_id: id, count: blocking }): [string, Blocked][] => {
      const at = since.get(id);
      return at === undefined ? [] : [[id, { since: at, blocking }]];
    }),
  );
}

/** The same for some endpoints. Reads nothing if dead letters block none of them. */
export const blockedOf = (rows: Rows, endpoints: readonly Row<'endpoints'>[]): Promise<Map<string, Blocked>> =>
  blockedEndpoints(
    rows,
    endpoints.flatMap(({ id, ordered, on_dead_letter }) => (ordered && on_dead_letter === 'block' ? [id] : [])),
  );

/** Adds how many deliveries wait behind the dead letters of an endpoint. */
export async function withWaiting(rows: Rows, endpoint_id: string, blocked: Blocked): Promise<Blocked> {
  const keys = { table: 'deliveries', column: 'order_key', where: { endpoint_id, ...deadLetters } } as const;
  const waiting = await rows.count('deliveries', { status: 'pending', order_key: { of: keys } }, { atMost: waitingCountedTo });
  return { ...blocked, waiting };
}

/**
 * Returns the dead letters for which pending deliveries wait, by their key. With `counts`, also the number of these pending
 * deliveries.
 */
export async function blockedKeys(
  rows: Rows,
  deliveries: readonly Row<'deliveries'>[],
  { counts }: { counts: boolean },
): Promise<Map<string, Blocked>> {
  const keys = deliveries.flatMap(({ status, order_key }) => (status === 'pending' && order_key !== null ? [order_key] : []));
  if (keys.length === 0) return new Map();
  const first = await rows.newest('deliveries', {
    of: 'order_key',
    by: 'event_id',
    values: [...new Set(keys)],
    where: { status: 'failed' },
    columns: ['order_key', 'updated_at'],
    limit: 1,
    oldest: true,
  });
  const countBehind = async (order_key: string | null) =>
    counts ? rows.count('deliveries', { status: 'pending', order_key }, { atMost: waitingCountedTo }) : null;
  const found = first.map(async ({ order_key, updated_at: since }) => {
    return [order_key as string, { since, blocking: 1, waiting: await countBehind(order_key) }] as const;
  });
  return new Map(await Promise.all(found));
}
