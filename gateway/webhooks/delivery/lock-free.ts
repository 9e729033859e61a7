import type { Rows, Where } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';

export interface LockedRows<T extends 'endpoints' | 'deliveries'> {
  /** The rows that were free, by id. They are locked now. */
  rows: Map<string, Row<T>>;
  /** The ids of rows that another transaction has locked. */
  locked: Set<string>;
}

/** Locks those rows that no other transaction has locked, in the order of their ids. Never waits. */
export async function lockFree<T extends 'endpoints' | 'deliveries'>(
  tx: Rows,
  table: T,
  ids: readonly string[],
): Promise<LockedRows<T>> {
  if (ids.length === 0) return { rows: new Map(), locked: new Set() };
  const read = (wanted: readonly string[], lock: 'free' | false): Promise<Row<T>[]> =>
    tx.list(table, { where: { id: { in: wanted } } as Where<T>, order: [['id', 'asc']], lock });
  const rows = new Map((await read([...new Set(ids)], 'free')).map((row) => [row.id as string, row]));
  const others = ids.filter((id) => !rows.has(id));
  const locked = others.length > 0 ? await read(others, false) : [];
  return { rows, locked: new Set(locked.map(({ id }) => id as string)) };
}
