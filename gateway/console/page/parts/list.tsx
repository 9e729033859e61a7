import { Button, Center, Text } from '@mantine/core';
import { useHotkeys, useMediaQuery } from '@mantine/hooks';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ComponentProps, type MouseEvent, type ReactNode, useCallback, useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { rememberLinks } from '../lib/neighbours.ts';
import { type PageOfRows, useRows } from '../lib/rows.ts';
import { text } from '../texts/shared.ts';
import { Hint } from './hint.tsx';
import { Loading } from './loading.tsx';
import { Failure } from './problem.tsx';
import { Time } from './time.tsx';

const texts = text.parts.list;

export interface ListColumn<R> {
  header: string;
  cell(row: R): ReactNode;
  /** What its cells hold, which sets the width. Default: text, which shares the rest of the width. */
  kind?: keyof typeof widths;
}

/** Widths by the kind of content, in pixels or as a share of the table. */
const widths = { time: 158, status: 120, number: 80, figures: 128, short: 124, name: 168, long: '22%', chart: 142 } as const;

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
  /** How many rows match. Left out, the list shows how many are loaded. */
  total?: ReactNode;
}

export type RowTone = 'error' | 'warning' | undefined;

const rowHeight = 44;
const cardHeight = 120;

/** A table needs this much width for all of its columns. Narrower screens have the same facts in cards. */
const narrow = '(max-width: 62em)';

/** A keyset list of any length. Rows load as the user scrolls, and only visible rows are in the DOM. */
export function List<R>(props: ListProps<R>) {
  const { label, queryKey, load, idOf, hrefOf, columns, live = false, toneOf, empty, total } = props;
  const { rows, error, loading, loadingMore, hasMore, searchedTo, loadMore, refresh } = useRows({ queryKey, load, idOf, live });
  const [lastShown, setLastShown] = useState(0);
  const isNarrow = useMediaQuery(narrow, false, { getInitialValueInEffect: false });
  // A search that stopped early continues only on request: it may take long.
  const shouldLoadMore = hasMore && !loadingMore && searchedTo === null && lastShown >= rows.length - 20;
  useEffect(() => {
    if (shouldLoadMore) void loadMore();
  }, [shouldLoadMore, loadMore]);
  useEffect(() => rememberLinks(rows.map(hrefOf)), [rows, hrefOf]);

  if (loading) return <Loading lines={10} />;
  if (error && rows.length === 0) return <Failure error={error} retry={refresh} />;
  const View = isNarrow ? Cards : Table;
  return (
    <div id="rows" tabIndex={-1}>
      {error && <Failure error={error} retry={refresh} />}
      {rows.length > 0 && (
        <>
          <Text size="xs" c="dimmed" role="status" pb={2}>
            {total ?? (hasMore ? texts.moreRows(rows.length) : texts.rows(rows.length))}
            {live && texts.live}
          </Text>
          <View
            rows={rows}
            label={label}
            idOf={idOf}
            hrefOf={hrefOf}
            columns={columns}
            toneOf={toneOf}
            rowCount={hasMore ? -1 : rows.length}
            shown={setLastShown}
          />
        </>
      )}
      {rows.length === 0 && !hasMore && empty}
      <Center py="sm">
        {loadingMore ? (
          <Text size="sm" c="dimmed" role="status">
            {texts.loadingMore}
          </Text>
        ) : hasMore && searchedTo !== null ? (
          <Button variant="light" size="xs" onClick={() => void loadMore()}>
            <span>{texts.searchFurther(<Time at={searchedTo} />)}</span>
          </Button>
        ) : (
          rows.length > 0 && !hasMore && <Hint size="xs">{texts.end}</Hint>
        )}
      </Center>
    </div>
  );
}

interface ViewProps<R> extends Pick<ListProps<R>, 'label' | 'idOf' | 'hrefOf' | 'columns'> {
  rows: readonly R[];
  toneOf: ListProps<R>['toneOf'];
  /** -1 if more rows follow. */
  rowCount: number;
  /** Called with the index of the last row in the DOM. */
  shown(last: number): void;
}

/** The rows in the DOM, the height of those above and below, and the row selected by keyboard. */
function useVisible<R>({ rows, idOf, hrefOf, shown }: ViewProps<R>, top: HTMLElement | null, estimated: number) {
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => estimated,
    overscan: 12,
    scrollMargin: top?.offsetTop ?? 0,
    getItemKey: (index) => idOf(rows[index] as R),
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => shown(last), [last, shown]);
  const margin = virtual.options.scrollMargin;
  return {
    items,
    measure: virtual.measureElement,
    above: Math.max(0, (items[0]?.start ?? 0) - margin),
    below: Math.max(0, virtual.getTotalSize() + margin - (items.at(-1)?.end ?? margin)),
    selected: useKeyboardRow(rows, hrefOf, (index) => virtual.scrollToIndex(index, { align: 'auto' })),
  };
}

function Table<R>(props: ViewProps<R>) {
  const { rows, label, hrefOf, columns, toneOf, rowCount } = props;
  const [table, setTable] = useState<HTMLTableElement | null>(null);
  const { items, above, below, selected } = useVisible(props, table, rowHeight);
  return (
    <table className="rows" ref={setTable} aria-label={label} aria-rowcount={rowCount}>
      <colgroup>
        {columns.map(({ header, kind }) => (
          <col key={header} width={kind && widths[kind]} />
        ))}
      </colgroup>
      <thead>
        <tr>
          {columns.map(({ header, kind }) => (
            <th key={header} scope="col" data-kind={kind}>
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <Spacer height={above} />
        {items.map(({ index, key }) => {
          const row = rows[index] as R;
          return (
            <OpenedByClick
              as="tr"
              key={String(key)}
              href={hrefOf(row)}
              data-tone={toneOf?.(row)}
              data-selected={index === selected || undefined}
              aria-selected={index === selected || undefined}
            >
              {columns.map(({ header, cell, kind }, column) => (
                <td key={header} data-kind={kind} onMouseEnter={showCut}>
                  <div className="cut">{column === 0 ? <Link href={hrefOf(row)}>{cell(row)}</Link> : cell(row)}</div>
                </td>
              ))}
            </OpenedByClick>
          );
        })}
        <Spacer height={below} />
      </tbody>
    </table>
  );
}

/** A cell has up to two lines. One that is cut shows its text in a tooltip. The row with the focus shows it in full. */
function showCut({ currentTarget: cell }: MouseEvent<HTMLElement>): void {
  const isCut = [...cell.querySelectorAll('*')].some(
    ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => scrollWidth > clientWidth || scrollHeight > clientHeight,
  );
  cell.title = isCut ? cell.innerText : '';
}

/** Has one cell only, because a `colspan` would need the number of columns. */
function Spacer({ height }: { height: number }) {
  if (height === 0) return null;
  return (
    <tr className="spacer" aria-hidden>
      <td style={{ height }} />
    </tr>
  );
}

/** The rows on a narrow screen: the first column is the link, the others are facts with their names. */
function Cards<R>(props: ViewProps<R>) {
  const { rows, label, hrefOf, columns, toneOf } = props;
  const [list, setList] = useState<HTMLUListElement | null>(null);
  const { items, above, below, selected, measure } = useVisible(props, list, cardHeight);
  const [first, ...others] = columns;
  return (
    <ul className="cards" ref={setList} aria-label={label} style={{ paddingTop: above, paddingBottom: below }}>
      {items.map(({ index, key }) => {
        const row = rows[index] as R;
        return (
          <OpenedByClick
            as="li"
            key={String(key)}
            ref={measure}
            data-index={index}
            href={hrefOf(row)}
            data-tone={toneOf?.(row)}
            data-selected={index === selected || undefined}
          >
            <Link href={hrefOf(row)} className="card-link">
              {first?.cell(row)}
            </Link>
            <dl>
              {others.map(({ header, cell }) => (
                <Fact key={header} name={header} value={cell(row)} />
              ))}
            </dl>
          </OpenedByClick>
        );
      })}
    </ul>
  );
}

/** A fact of a card. A card has room for facts that exist only. */
function Fact({ name, value }: { name: string; value: ReactNode }) {
  if (value === null || value === undefined || value === '' || value === false) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** A row. A click beside its links and buttons opens its page. */
function OpenedByClick({
  as: Element,
  href,
  ...props
}: { as: 'tr' | 'li'; href: string } & ComponentProps<'tr'> & ComponentProps<'li'>) {
  const [, navigate] = useLocation();
  return (
    <Element
      {...props}
      data-row
      onClick={(event: MouseEvent<HTMLElement>) => {
        // Links and buttons do their own work, and selecting text must not open the row.
        if ((event.target as HTMLElement).closest('a, button') || getSelection()?.toString()) return;
        navigate(href);
      }}
    />
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
  const open = (event: KeyboardEvent) => {
    const row = rows[selected];
    // Enter on a link or a button is that element's.
    const isOnControl = event.target instanceof Element && event.target.closest('a, button, summary') !== null;
    if (row && !isOnControl) navigate(hrefOf(row));
  };
  useHotkeys([
    ['j', () => move(1)],
    ['k', () => move(-1)],
    ['Enter', open, { preventDefault: false }],
  ]);
  return selected;
}
