import type { Rows } from '../../store/port.ts';
import { type Counted, type Found, mostCounted } from '../../store/search.ts';
import type { Row } from '../../store/tables/index.ts';
import { type CallFilter, countCallsByKind, listCalls } from './queries.ts';

/**
 * Calls of these callers that match the filter, newest first. Each caller is searched for itself, so that no reply depends on
 * others' calls, not even where a bounded search stops.
 */
export async function listOwnCalls(
  store: Rows,
  callers: readonly string[],
  filter: CallFilter & { cursor?: string | undefined; limit: number },
): Promise<Found<'calls'>> {
  const found = await Promise.all(callers.map((only) => listCalls(store, { ...filter, only })));
  // The place where the first of the searches stopped. Older calls of that caller were not read.
  const end = found.map(({ next }) => next ?? '').reduce((one, other) => (one > other ? one : other), '');
  const rows = found
    .flatMap(({ data }) => data)
    .filter(({ id }) => id >= end)
    .sort(newestFirst);
  const data = rows.slice(0, filter.limit);
  if (rows.length > filter.limit) return { data, next: data.at(-1)?.id ?? null, stopped: null };
  const stopped = found.find((one) => one.stopped?.id === end)?.stopped;
  return { data, next: end || null, stopped: stopped && data.length < filter.limit ? stopped : null };
}

const newestFirst = (one: Row<'calls'>, other: Row<'calls'>) => (one.id < other.id ? 1 : -1);

export interface OwnCount extends Counted<'calls'> {
  statuses: { status: number; count: number }[];
  operations: { operation: string | null; count: number }[];
}

interface Group {
  operation: string | null;
  status: number;
  count: number;
}

/** Counts the calls of these callers that match the filter, most frequent first, each caller for itself as in `listOwnCalls`. */
export async function countOwnCalls(rows: Rows, callers: readonly string[], filter: CallFilter): Promise<OwnCount> {
  const groups: Group[] = [];
  let more = false;
  let stopped: OwnCount['stopped'] = null;
  let count = 0;
  // One after another: a user with many tokens would otherwise read the bound for each of them.
  for (const only of callers) {
    if (count > mostCounted) {
      more = true;
      break;
    }
    const found = await countCallsByKind(rows, { ...filter, only });
    groups.push(...found.groups);
    count += found.groups.reduce((sum, group) => sum + group.count, 0);
    more ||= found.more;
    if (found.stopped && !(stopped && stopped.at > found.stopped.at)) stopped = found.stopped;
  }
  return {
    count,
    more,
    stopped,
    statuses: summed(groups, 'status').map(([status, count]) => ({ status, count })),
    operations: summed(groups, 'operation').map(([operation, count]) => ({ operation, count })),
  };
}

/** The sums of the groups with the same value in a column, greatest first. */
function summed<K extends 'status' | 'operation'>(groups: readonly Group[], column: K): [Group[K], number][] {
  const same = Map.groupBy(groups, (group) => group[column]);
  const sums = [...same].map(([value, all]): [Group[K], number] => [value, all.reduce((sum, one) => sum + one.count, 0)]);
  return sums.sort(([, one], [, other]) => other - one);
}
