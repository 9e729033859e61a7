import { Group, Stack, Text } from '@mantine/core';
import { useCallback, useMemo, useState } from 'react';
import { linkTo, only, useFilters } from '../../lib/filters.ts';
import { Empty } from '../empty.tsx';
import { FilterBar } from '../filter-bar.tsx';
import { List } from '../list.tsx';
import { ActionButton } from './action-button.tsx';
import { Done } from './action-result.tsx';
import type { Outcome, Resource } from './resource.ts';
import { RowDrawer } from './row-drawer.tsx';

/** A list of the register, with its form and its rows' actions. The open row is in the address. */
export function ResourceList({ resource, path }: { resource: Resource<object>; path: string }) {
  const [{ row, ...values }, change] = useFilters();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const { name, filters = [], create, idOf, load: loadPage } = resource;
  const text = JSON.stringify(
    only(
      values,
      filters.map((filter) => filter.name),
    ),
  );
  const chosen = useMemo<Record<string, string>>(() => JSON.parse(text), [text]);
  const load = useCallback((cursor: string | undefined) => loadPage({ ...chosen, cursor, limit: 50 }), [loadPage, chosen]);
  const hrefOf = (id: string) => linkTo(path, { ...values, row: id });
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Text size="sm" c="dimmed" maw={640}>
          {resource.about}
        </Text>
        {create && <ActionButton action={create} row={null} subject="" done={setOutcome} main />}
      </Group>
      {outcome && <Done of={outcome} hrefOf={hrefOf} close={() => setOutcome(null)} />}
      {filters.length > 0 && <FilterBar filters={filters} values={chosen} change={change} />}
      <List
        label={resource.title}
        queryKey={['back-office', name, chosen]}
        load={load}
        idOf={idOf}
        hrefOf={(one) => hrefOf(idOf(one))}
        columns={resource.columns}
        empty={<Empty title={text === '{}' ? 'None yet' : 'None fits these filters'}>{resource.empty}</Empty>}
      />
      <RowDrawer resource={resource} id={row} close={() => change({ row: undefined })} />
    </Stack>
  );
}
