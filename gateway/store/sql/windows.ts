import { firstIdAt, timeOfId } from '../../base/ids.ts';
import { dailyOf, dayMs, dayOf } from '../daily.ts';
import type { Query } from '../port.ts';
import type { KeyRange } from '../search.ts';
import { type DailyTable, type TableName, tables } from '../tables/index.ts';

/** How many days each window reaches back from the day that a list starts on. */
const reachDays = [0, 6];

const bounds = ['gte', 'gt', 'lte', 'lt'];

/**
 * Splits a list of a daily table, newest first, into windows of days: most pages are full after the first one. A statement
 * over 30 partitions costs milliseconds of planning, because each partition has its own indexes. Returns undefined for other lists.
 */
export function windowsOf<T extends TableName>(name: T, query: Query<T>): Query<T>[] | undefined {
  if (!('daily' in tables[name]) || query.limit === undefined || query.offset || query.lock) return undefined;
  const { by, prefix } = dailyOf(name as DailyTable);
  const [[column, direction] = [], ...others] = query.order ?? [];
  if (column !== by || direction !== 'desc' || others.length > 0) return undefined;
  const range = (query.where as Record<string, KeyRange> | undefined)?.[by] ?? {};
  if (typeof range !== 'object' || Object.keys(range).some((bound) => !bounds.includes(bound))) return undefined;
  const upper = range.lt ?? range.lte;
  const startMs = upper === undefined ? Date.now() : timeOfId(upper);
  if (Number.isNaN(startMs)) return undefined;
  const ends = reachDays.map((days) => firstIdAt(prefix, dayOf(startMs) - days * dayMs));
  const lower = range.gte ?? range.gt ?? '';
  return [undefined, ...ends]
    .map((lt, index) => ({ lt, gte: ends[index] }))
    .filter(({ lt }) => lt === undefined || lt > lower)
    .map(({ lt, gte }) => ({ ...query, where: { ...query.where, [by]: within(range, lt, gte) } }) as Query<T>);
}

const within = (range: KeyRange, lt: string | undefined, gte: string | undefined): KeyRange => ({
  ...range,
  lt: [range.lt, lt].filter((one) => one !== undefined).sort()[0],
  gte: [range.gte, gte]
    .filter((one) => one !== undefined)
    .sort()
    .at(-1),
});
