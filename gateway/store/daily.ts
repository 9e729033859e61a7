import { firstIdAt } from '../base/ids.ts';
import type { Where } from './port.ts';
import { type DailyTable, type Table, tables } from './tables/index.ts';

export const dayMs = 86_400_000;

/** The tables that SQL keeps in daily partitions. */
export const dailyTables = Object.entries(tables).flatMap(([name, table]) => ('daily' in table ? [name as DailyTable] : []));

export const dailyOf = (name: DailyTable) => tables[name].daily as NonNullable<Table['daily']>;

/** The start of a day (UTC), in milliseconds since 1970. */
export const dayOf = (atMs: number): number => Math.floor(atMs / dayMs) * dayMs;

export function olderThan<T extends DailyTable>(name: T, beforeMs: number): Where<T> {
  const { by, prefix, age } = dailyOf(name);
  return { [age ?? by]: { lt: age === undefined ? firstIdAt(prefix, beforeMs) : beforeMs } } as Where<T>;
}
