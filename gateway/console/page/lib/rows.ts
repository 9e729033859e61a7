import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

export interface PageOfRows<R> {
  data: R[];
  next: string | null;
  /** Where a search that few rows fit stopped for now. */
  searched_to?: string | null;
}

export interface RowsOptions<R> {
  /** What the rows depend on: the list's name and its filters. */
  queryKey: readonly unknown[];
  load(cursor: string | undefined): Promise<PageOfRows<R>>;
  idOf(row: R): string;
  /** Looks for new rows every two seconds. */
  live: boolean;
}

const liveEveryMs = 2000;

/** The rows of a keyset list, page after page; while it is live the newest come in on top, and those shown are kept true. */
export function useRows<R>({ queryKey, load, idOf, live }: RowsOptions<R>) {
  const pages = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => load(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
  });
  const head = useQuery({
    queryKey: [...queryKey, 'live'],
    queryFn: () => load(undefined),
    enabled: live && pages.isSuccess,
    refetchInterval: liveEveryMs,
  });
  const rows = useMemo(
    () =>
      merged(
        (pages.data?.pages ?? []).flatMap(({ data }) => data),
        live ? head.data : undefined,
        idOf,
      ),
    [pages.data, head.data, live, idOf],
  );
  const last = pages.data?.pages.at(-1);
  return {
    rows,
    error: pages.error ?? (live ? head.error : null),
    loading: pages.isPending,
    loadingMore: pages.isFetchingNextPage,
    hasMore: pages.hasNextPage,
    searchedTo: last?.searched_to ?? null,
    loadMore: pages.fetchNextPage,
    refresh: pages.refetch,
  };
}

/**
 * The newest rows stand for those shown under the same id, and the others of them come first. What was shown among them
 * and is not there any more does not fit its filters now, and goes.
 */
export function merged<R>(shown: R[], newest: PageOfRows<R> | undefined, idOf: (row: R) => string): R[] {
  if (newest === undefined) return shown;
  if (newest.next === null) return newest.data;
  const oldest = newest.data.at(-1);
  const end = oldest === undefined ? -1 : shown.findIndex((row) => idOf(row) === idOf(oldest));
  if (end >= 0) return [...newest.data, ...shown.slice(end + 1)];
  // They have nothing to be laid beside: more came at once than a page holds, or the oldest of them is newly fitting.
  const fresh = new Set(newest.data.map(idOf));
  return [...newest.data, ...shown.filter((row) => !fresh.has(idOf(row)))];
}
