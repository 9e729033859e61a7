import { useFilters } from '../lib/filters.ts';
import type { ListName } from '../lib/listed.ts';
import { ExportMenu } from './export-menu.tsx';
import { FilteredList, type FilteredListProps } from './filtered-list.tsx';
import { PartnersOfName } from './partners-of-name.tsx';
import { SavedViews } from './saved-views.tsx';
import { UnknownFilters } from './unknown-filters.tsx';

interface OperatorListProps<R extends { id: string }> extends FilteredListProps<R> {
  /** Parameters of the address that are no filters. */
  others?: readonly string[];
}

/** A list of the operator, who filters by partners' names and saves views. A view may have filters that are not known any more. */
export function OperatorList<R extends { id: string }>({ others, ...props }: OperatorListProps<R>) {
  const { list, values } = props;
  const [, change] = useFilters();
  return (
    <>
      <UnknownFilters list={list} values={values} others={others} change={change} />
      <FilteredList live="off" {...props} aboutFilters={<PartnersOfName list={list} values={values} />} />
    </>
  );
}

/** The buttons of an operator's list. */
export const OperatorListActions = (props: { list: ListName; values: Record<string, string> }) => (
  <>
    <SavedViews {...props} />
    <ExportMenu {...props} />
  </>
);
