import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useFilters } from '../../page/lib/filters.ts';
import { shortCount } from '../../page/lib/format.ts';
import { CallsPage, callColumns, callFilters } from '../../page/parts/call/list-page.tsx';
import { type Filter, pickShown } from '../../page/parts/filter-bar.tsx';
import { FilteredList } from '../../page/parts/filtered-list.tsx';
import { dataOf, profile } from '../lib/api.ts';
import { text } from '../texts/index.ts';

const { q, status, since, operation, error_code, limited } = callFilters;
const columns = Object.values(callColumns);

/** The operations that the partner called, most frequent first, with the number of calls. */
function useOperations(): Filter['choices'] {
  const { data = [] } = useQuery({
    queryKey: ['calls', 'operations'],
    queryFn: async () => (await dataOf(profile.GET('/calls/count'))).operations,
    staleTime: 60_000,
  });
  return data.flatMap(({ operation: id, count }) => (id === null ? [] : [{ value: id, label: `${id} (${shortCount(count)})` }]));
}

/** The partner's calls to its API. */
export default function Calls() {
  const [address] = useFilters();
  const choices = useOperations();
  const filters: Filter[] = [q, status, since, { ...operation, choices, width: 190 }, error_code, limited];
  return (
    <CallsPage
      List={FilteredList}
      values={pickShown(filters, address)}
      filters={filters}
      columns={columns}
      below={
        <Text size="sm" c="dimmed" mt="xs">
          {text.calls.notListed}
        </Text>
      }
    />
  );
}
