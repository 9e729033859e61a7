import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

export interface PageOfRows<R> {
  data: R[];
  next: string | null;
  /** Set if a search found too few rows and stopped: the time it has searched back to. */
  searched_to?: string | null;
}

export interface RowsOptions<R> {
  /** The list's name and its filters. */
  queryKey: readonly unknown[];
  load(cursor: string | undefined): Promise<PageOfRows<R>>;
  idOf(row: R): string;
  /** Set to look for new rows every two seconds. */
  live: boolean;
}

const refetchEveryMs = 2000;

/** The rows of a keyset list, page by page. A live list adds new rows on top and updates those shown. */
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
    refetchInterval: refetchEveryMs,
  });
  const rows = useMemo(
    () =>
      mergeNewest(
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
 * Puts the newest page over the rows shown: known rows are updated and new ones come first. A row that the newest page
 * should contain but does not, no longer matches the filters and is removed.
 */
export function mergeNewest<R>(shown: R[], newest: PageOfRows<R> | undefined, idOf: (row: R) => string): R[] {
  if (newest === undefined) return shown;
  if (newest.next === null) return newest.data;
  const oldest = newest.data.at(-1);
  const end = oldest === undefined ? -1 : shown.findIndex((row) => idOf(row) === idOf(oldest));
  if (end >= 0) return [...newest.data, ...shown.slice(end + 1)];
  // The pages do not overlap: more rows came at once than a page holds, or the oldest one did not match before.
  const fresh = new Set(newest.data.map(idOf));
  return [...newest.data, ...shown.filter((row) => !fresh.has(idOf(row)))];
}
