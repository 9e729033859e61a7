import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'wouter';

export type FilterValues = Record<string, string>;

/** The filters of a list are in the page's address, so that a view can be shared and the Back button works. */
export function useFilters(): [FilterValues, (change: Record<string, string | undefined>) => void] {
  const [params, setParams] = useSearchParams();
  const text = params.toString();
  const values = useMemo(() => Object.fromEntries(new URLSearchParams(text)), [text]);
  const change = useCallback(
    (changed: Record<string, string | undefined>) =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before);
          for (const [name, value] of Object.entries(changed)) {
            if (value === undefined || value === '') after.delete(name);
            else after.set(name, value);
          }
          return after;
        },
        { replace: true },
      ),
    [setParams],
  );
  return [values, change];
}

/** Lengths of time before now, by their name in an address (`since=1h`). */
export const spans = {
  '15m': { label: 'last 15 minutes', ms: 900_000 },
  '1h': { label: 'last hour', ms: 3_600_000 },
  '24h': { label: 'last 24 hours', ms: 86_400_000 },
  '7d': { label: 'last 7 days', ms: 604_800_000 },
} as const;

/** `since` as an instant; `from` and what else there is as they stand. `custom` says only that both ends are to be chosen. */
export function withInstant({ since, ...values }: FilterValues, nowMs: number): FilterValues {
  const span = spans[since as keyof typeof spans];
  return span ? { ...values, from: instantBefore(nowMs, since) } : values;
}

/** The beginning of a length of time; empty where there is none of this name. */
export function instantBefore(nowMs: number, since: string | undefined): string {
  const span = spans[since as keyof typeof spans];
  return span ? new Date(nowMs - span.ms).toISOString() : '';
}

/** Those of an address that a list's API knows: another parameter of the page is not for it. */
export function only(values: FilterValues, names: readonly string[]): FilterValues {
  return Object.fromEntries(names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])));
}

/** An address within the console with these filters. */
export function linkTo(path: string, filters: Record<string, string | undefined> = {}): string {
  const given = Object.entries(filters).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}
