import { Button, Center, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { plural } from '../lib/format.ts';
import { rememberRows } from '../lib/neighbours.ts';
import { type PageOfRows, useRows } from '../lib/rows.ts';
import { Waiting } from './loading.tsx';
import { Failure } from './problem.tsx';
import { Time } from './time.tsx';

export interface ListColumn<R> {
  header: string;
  cell(row: R): ReactNode;
  /** In pixels; the columns without share what is left. */
  width?: number;
  /** Left out on a phone. */
  wide?: boolean;
}

interface ListProps<R> {
  /** What it lists, for those who do not see it. */
  label: string;
  /** The list's name and its filters: other filters are another list. */
  queryKey: readonly unknown[];
  load(cursor: string | undefined): Promise<PageOfRows<R>>;
  idOf(row: R): string;
  /** Where a row leads; the first column is the link. */
  hrefOf(row: R): string;
  columns: readonly ListColumn<R>[];
  live?: boolean;
  /** Rows that want somebody stand out. */
  toneOf?(row: R): RowTone;
  empty: ReactNode;
  /** What a row is called: the list then says how many there are. */
  noun?: readonly [one: string, many: string];
}

export type RowTone = 'bad' | 'waits' | undefined;

const rowHeight = 43;

/** A keyset list of any length: rows are read as one scrolls, and only those in sight are in the page. */
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
  // A search that found little goes on when it is asked to: it may be long.
  const goesOn = hasMore && !loadingMore && searchedTo === null && lastShown >= rows.length - 20;
  useEffect(() => {
    if (goesOn) void loadMore();
  }, [goesOn, loadMore]);
  useEffect(() => rememberRows(rows.map(hrefOf)), [rows, hrefOf]);
  const chosen = useChosen(rows, hrefOf, (index) => virtual.scrollToIndex(index, { align: 'auto' }));

  if (loading) return <Waiting lines={10} />;
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
                chosen={index === chosen}
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
            Looking further …
          </Text>
        ) : hasMore && searchedTo !== null ? (
          <Button variant="light" size="xs" onClick={() => void loadMore()}>
            <span>
              Looked back to <Time at={searchedTo} />. Look further
            </span>
          </Button>
        ) : (
          rows.length > 0 &&
          !hasMore && (
            <Text size="xs" c="dimmed">
              That is all of them.
            </Text>
          )
        )}
      </Center>
    </div>
  );
}

/** One cell: a span over columns that a phone leaves out would give them back their width. */
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
  chosen: boolean;
  tone: RowTone;
}

function ListRow<R>({ row, columns, href, chosen, tone }: ListRowProps<R>) {
  const [, navigate] = useLocation();
  return (
    <tr
      data-row
      data-chosen={chosen || undefined}
      data-tone={tone}
      aria-selected={chosen || undefined}
      onClick={(event) => {
        // A link in the row, or text being marked, is not a wish to open it.
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

/** The row that the keyboard is at: j and k move it, Enter opens it. */
function useChosen<R>(rows: readonly R[], hrefOf: (row: R) => string, show: (index: number) => void): number {
  const [chosen, setChosen] = useState(-1);
  const [, navigate] = useLocation();
  const move = useCallback(
    (by: number) => {
      const next = Math.min(rows.length - 1, Math.max(0, chosen + by));
      setChosen(next);
      show(next);
    },
    [rows.length, chosen, show],
  );
  useHotkeys([
    ['j', () => move(1)],
    ['k', () => move(-1)],
    ['Enter', () => rows[chosen] && navigate(hrefOf(rows[chosen]))],
  ]);
  return chosen;
}
