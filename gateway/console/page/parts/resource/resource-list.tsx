import { Group, Stack, Text } from '@mantine/core';
import { useCallback, useMemo, useState } from 'react';
import { linkTo, pickFilters, useFilters } from '../../lib/filters.ts';
import { text as catalogue } from '../../texts/shared.ts';
import { Empty, NothingMatches } from '../empty.tsx';
import { FilterBar } from '../filter-bar.tsx';
import { List } from '../list.tsx';
import { ActionButton } from './action-button.tsx';
import { ActionResultAlert } from './action-result.tsx';
import type { ActionResult, Resource } from './resource.ts';
import { RowDrawer } from './row-drawer.tsx';

/** A resource's list, its form and its rows' actions. The open row is in the address. */
export function ResourceList({ resource, path }: { resource: Resource<object>; path: string }) {
  const [{ row, ...values }, change] = useFilters();
  const [result, setResult] = useState<ActionResult | null>(null);
  const { name, filters = [], create, idOf, load: loadPage } = resource;
  const text = JSON.stringify(
    pickFilters(
      values,
      filters.map((filter) => filter.name),
    ),
  );
  const query = useMemo<Record<string, string>>(() => JSON.parse(text), [text]);
  const load = useCallback((cursor: string | undefined) => loadPage({ ...query, cursor, limit: 50 }), [loadPage, query]);
  const hrefOf = (id: string) => linkTo(path, { ...values, row: id });
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Text size="sm" c="dimmed" maw={800}>
          {resource.description}
        </Text>
        {create && <ActionButton action={create} row={null} subject="" done={setResult} primary />}
      </Group>
      {result && <ActionResultAlert of={result} hrefOf={hrefOf} close={() => setResult(null)} />}
      {filters.length > 0 && <FilterBar filters={filters} values={query} change={change} />}
      <List
        label={resource.title}
        queryKey={['back-office', name, query]}
        load={load}
        idOf={idOf}
        hrefOf={(one) => hrefOf(idOf(one))}
        columns={resource.columns}
        empty={
          text === '{}' ? (
            <Empty title={catalogue.parts.resource.noneYet}>{resource.empty}</Empty>
          ) : (
            <NothingMatches title={catalogue.parts.noMatches} filters={query} />
          )
        }
      />
      <RowDrawer resource={resource} id={row} close={() => change({ row: undefined })} />
    </Stack>
  );
}
