import { Button, Center, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { plural } from '../lib/format.ts';
import { rememberLinks } from '../lib/neighbours.ts';
import { type PageOfRows, useRows } from '../lib/rows.ts';
import { Loading } from './loading.tsx';
import { Failure } from './problem.tsx';
import { Time } from './time.tsx';

export interface ListColumn<R> {
  header: string;
  cell(row: R): ReactNode;
  /** Pixels. Columns without a width share the rest. */
  width?: number;
  /** Hidden on a phone. */
  wide?: boolean;
}

interface ListProps<R> {
  /** The table's name for screen readers. */
  label: string;
  /** The list's name and its filters. Other filters make another list. */
  queryKey: readonly unknown[];
  load(cursor: string | undefined): Promise<PageOfRows<R>>;
  idOf(row: R): string;
  /** The page that a row opens. The first column is the link. */
  hrefOf(row: R): string;
  columns: readonly ListColumn<R>[];
  live?: boolean;
  /** Marks rows that need attention. */
  toneOf?(row: R): RowTone;
  empty: ReactNode;
  /** The name of a row. If set, the list shows how many there are. */
  noun?: readonly [one: string, many: string];
}

export type RowTone = 'error' | 'warning' | undefined;

const rowHeight = 43;

/** A keyset list of any length. Rows load as the user scrolls, and only visible rows are in the DOM. */
export function List<R>({ label, queryKey, load, idOf, hrefOf, columns, live = false, toneOf, empty, noun }: ListProps<R>) {
  const { rows, error, loading, loadingMore, hasMore, searchedTo, loadMore, refresh } = useRows({ queryKey, load, idOf, live });
  const table = useRef<HTMLTableElement>(null);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin: table.current?.offsetTop ?? 0,
    getItemKey: (index) => idOf(rows[index] as R),
  });
  const items = virtual.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? 0;
  // A search that stopped early continues only on request: it may take long.
  const shouldLoadMore = hasMore && !loadingMore && searchedTo === null && lastShown >= rows.length - 20;
  useEffect(() => {
    if (shouldLoadMore) void loadMore();
  }, [shouldLoadMore, loadMore]);
  useEffect(() => rememberLinks(rows.map(hrefOf)), [rows, hrefOf]);
  const selected = useKeyboardRow(rows, hrefOf, (index) => virtual.scrollToIndex(index, { align: 'auto' }));

  if (loading) return <Loading lines={10} />;
  if (error && rows.length === 0) return <Failure error={error} retry={refresh} />;
  const above = (items[0]?.start ?? 0) - virtual.options.scrollMargin;
  const below = virtual.getTotalSize() + virtual.options.scrollMargin - (items.at(-1)?.end ?? virtual.options.scrollMargin);
  return (
    <div>
      {error && <Failure error={error} retry={refresh} />}
      {noun && rows.length > 0 && (
        <Text size="xs" c="dimmed" role="status" pb={2}>
          {hasMore ? `More than ${plural(rows.length, ...noun)}` : plural(rows.length, ...noun)}
          {live && ' · live'}
        </Text>
      )}
      {rows.length > 0 && (
        <table className="rows" ref={table} aria-label={label} aria-rowcount={hasMore ? -1 : rows.length}>
          <colgroup>
            {columns.map(({ header, width, wide }) => (
              <col key={header} width={width} data-wide={wide || undefined} />
            ))}
          </colgroup>
          <thead>
            <tr>
              {columns.map(({ header, wide }) => (
                <th key={header} scope="col" data-wide={wide || undefined}>
                  {header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <Spacer height={Math.max(0, above)} />
            {items.map(({ index, key }) => (
              <ListRow
                key={String(key)}
                row={rows[index] as R}
                columns={columns}
                href={hrefOf(rows[index] as R)}
                selected={index === selected}
                tone={toneOf?.(rows[index] as R)}
              />
            ))}
            <Spacer height={Math.max(0, below)} />
          </tbody>
        </table>
      )}
      {rows.length === 0 && !hasMore && empty}
      <Center py="sm">
        {loadingMore ? (
          <Text size="sm" c="dimmed" role="status">
            Loading more …
          </Text>
        ) : hasMore && searchedTo !== null ? (
          <Button variant="light" size="xs" onClick={() => void loadMore()}>
            <span>
              Searched back to <Time at={searchedTo} />. Search further
            </span>
          </Button>
        ) : (
          rows.length > 0 &&
          !hasMore && (
            <Text size="xs" c="dimmed">
              End of the list.
            </Text>
          )
        )}
      </Center>
    </div>
  );
}

/** Has one cell only: a `colspan` would give width to the columns that are hidden on a phone. */
function Spacer({ height }: { height: number }) {
  if (height === 0) return null;
  return (
    <tr className="spacer" aria-hidden>
      <td style={{ height }} />
    </tr>
  );
}

interface ListRowProps<R> {
  row: R;
  columns: readonly ListColumn<R>[];
  href: string;
  selected: boolean;
  tone: RowTone;
}

function ListRow<R>({ row, columns, href, selected, tone }: ListRowProps<R>) {
  const [, navigate] = useLocation();
  return (
    <tr
      data-row
      data-selected={selected || undefined}
      data-tone={tone}
      aria-selected={selected || undefined}
      onClick={(event) => {
        // Links and buttons do their own work, and selecting text must not open the row.
        if ((event.target as HTMLElement).closest('a, button') || getSelection()?.toString()) return;
        navigate(href);
      }}
    >
      {columns.map(({ header, cell, wide }, index) => (
        <td key={header} data-wide={wide || undefined}>
          {index === 0 ? <Link href={href}>{cell(row)}</Link> : cell(row)}
        </td>
      ))}
    </tr>
  );
}

/** The index of the row selected by keyboard. `j` and `k` move it, Enter opens it. */
function useKeyboardRow<R>(rows: readonly R[], hrefOf: (row: R) => string, show: (index: number) => void): number {
  const [selected, setSelected] = useState(-1);
  const [, navigate] = useLocation();
  const move = useCallback(
    (by: number) => {
      const next = Math.min(rows.length - 1, Math.max(0, selected + by));
      setSelected(next);
      show(next);
    },
    [rows.length, selected, show],
  );
  useHotkeys([
    ['j', () => move(1)],
    ['k', () => move(-1)],
    ['Enter', () => rows[selected] && navigate(hrefOf(rows[selected]))],
  ]);
  return selected;
}
