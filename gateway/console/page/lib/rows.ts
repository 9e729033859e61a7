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
        live ? (head.data?.data ?? []) : [],
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

/** The newest rows stand for those shown under the same id; the others of them come first. */
function merged<R>(shown: readonly R[], newest: readonly R[], idOf: (row: R) => string): R[] {
  const fresh = new Map(newest.map((row) => [idOf(row), row]));
  const kept = shown.map((row) => {
    const newer = fresh.get(idOf(row));
    fresh.delete(idOf(row));
    return newer ?? row;
  });
  return [...fresh.values(), ...kept];
}
