import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { text } from '../texts/shared.ts';

export type FilterValues = Record<string, string>;

/** A list's filters. They are in the page's address, so that a view can be shared and the Back button works. */
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

/** Time spans before now, by their name in an address (`since=1h`). */
export const spans = {
  '15m': { label: text.parts.filters.spans['15m'], ms: 900_000 },
  '1h': { label: text.parts.filters.spans['1h'], ms: 3_600_000 },
  '24h': { label: text.parts.filters.spans['24h'], ms: 86_400_000 },
  '7d': { label: text.parts.filters.spans['7d'], ms: 604_800_000 },
} as const;

/** Replaces `since` with `from`, an ISO 8601 time. `since=custom` only means that `from` and `to` are shown as fields. */
export function withStartTime({ since, ...values }: FilterValues, nowMs: number): FilterValues {
  const span = spans[since as keyof typeof spans];
  return span ? { ...values, from: startOfSpan(nowMs, since) } : values;
}

/** The start of a time span as ISO 8601, or an empty string if there is no such span. */
export function startOfSpan(nowMs: number, since: string | undefined): string {
  const span = spans[since as keyof typeof spans];
  return span ? new Date(nowMs - span.ms).toISOString() : '';
}

/** Keeps the parameters in `names`. The address may have others that the list's API does not know. */
export const pickFilters = (values: FilterValues, names: readonly string[]): FilterValues =>
  Object.fromEntries(names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])));

/** The choices of a filter by value, with their labels. */
export const labelled = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

export const choices = (values: readonly string[]) => values.map((value) => ({ value, label: value }));

export function linkTo(path: string, filters: Record<string, string | undefined> = {}): string {
  const given = Object.entries(filters).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}
