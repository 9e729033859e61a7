import { type ReactNode, useCallback, useState } from 'react';
import { type FilterValues, useFilters } from '../lib/filters.ts';
import { type ListName, listedFilters, queryOf } from '../lib/listed.ts';
import type { PageOfRows } from '../lib/rows.ts';
import { NothingMatches } from './empty.tsx';
import { type Filter, FilterBar } from './filter-bar.tsx';
import { List, type ListColumn, type RowTone } from './list.tsx';
import { Total } from './total.tsx';

export interface FilteredListProps<R extends { id: string }> {
  list: ListName;
  label: string;
  filters: readonly Filter[];
  /** The filters in the address that the viewer's API knows. */
  values: FilterValues;
  /** The filters as the viewer sees them. Default: those in the address. */
  shown?: FilterValues;
  change?(changed: Record<string, string | undefined>): void;
  /** Reads rows. The API validates the filters, which come from the address. */
  read(query: never): Promise<PageOfRows<R>>;
  columns: readonly ListColumn<R>[];
  toneOf?(row: R): RowTone;
  /** Whether new rows appear on top at first. `always`: the viewer cannot switch it. */
  live?: 'on' | 'off' | 'always';
  noMatch: { title: string; next: string };
  /** What else to say of filters that no row matches. */
  aboutFilters?: ReactNode;
  /** Shown if there is nothing to filter. */
  none: ReactNode;
  /** Shown between the filters and the rows. */
  children?: ReactNode;
}

export function FilteredList<R extends { id: string }>(props: FilteredListProps<R>) {
  const { list, label, filters, values, shown = values, read, columns, toneOf, noMatch, aboutFilters, none, children } = props;
  const [, changeAddress] = useFilters();
  const { change = changeAddress, live: liveAtFirst = 'on' } = props;
  const [live, setLive] = useState(liveAtFirst !== 'off');
  const hrefOf = useCallback(({ id }: R) => `/${list}/${id}`, [list]);
  return (
    <>
      <FilterBar
        filters={filters}
        values={shown}
        change={change}
        {...(liveAtFirst !== 'always' && { live: { on: live, toggle: () => setLive((before) => !before) } })}
      />
      {children}
      <List
        label={label}
        total={<Total list={list} values={values} live={live} />}
        queryKey={[list, 'list', listedFilters(list, values)]}
        load={(cursor) => read({ ...queryOf(list, values, Date.now()), cursor, limit: 50 } as never)}
        idOf={idOf}
        hrefOf={hrefOf}
        columns={columns}
        live={live}
        {...(toneOf && { toneOf })}
        empty={
          Object.keys(values).length > 0 ? (
            <NothingMatches title={noMatch.title} filters={values}>
              {aboutFilters}
              {noMatch.next}
            </NothingMatches>
          ) : (
            none
          )
        }
      />
    </>
  );
}

const idOf = ({ id }: { id: string }) => id;
