import { Drawer, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Facts } from '../facts.tsx';
import { Waiting } from '../loading.tsx';
import { Failure, Problem } from '../problem.tsx';
import { ActionButton } from './action-button.tsx';
import { Done } from './action-result.tsx';
import { Within } from './nested-list.tsx';
import type { Outcome, Resource } from './resource.ts';

interface RowDrawerProps {
  resource: Resource<object>;
  /** The row's id, of the address; absent where none is open. */
  id: string | undefined;
  close(): void;
}

/** One row, what belongs to it, and what can be done with it as it stands. */
export function RowDrawer({ resource, id, close }: RowDrawerProps) {
  return (
    <Drawer opened={id !== undefined} onClose={close} position="right" size="lg" title={resource.title}>
      {id !== undefined && <Row key={id} resource={resource} id={id} />}
    </Drawer>
  );
}

function Row({ resource, id }: { resource: Resource<object>; id: string }) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const row = useQuery({
    queryKey: ['back-office', resource.name, 'row', id],
    queryFn: async () => (await (resource.read ? resource.read(id) : found(resource, id))) ?? null,
  });
  if (row.error) return <Failure error={row.error} retry={row.refetch} />;
  if (row.data === undefined) return <Waiting />;
  if (row.data === null)
    return <Problem title={`${id} is not there`} next="It may have been removed, or the address is wrong." />;
  const shown = row.data;
  const actions = resource.actions.filter(({ offered }) => offered?.(shown) ?? true);
  return (
    <Stack>
      <Text size="lg" fw={600} className="break-anywhere">
        {resource.titleOf(shown)}
      </Text>
      {outcome && <Done of={outcome} close={() => setOutcome(null)} />}
      {actions.length > 0 && (
        <Group gap="xs">
          {actions.map((action) => (
            <ActionButton key={action.label} action={action} row={shown} subject={resource.titleOf(shown)} done={setOutcome} />
          ))}
        </Group>
      )}
      <Facts of={resource.facts?.(shown) ?? resource.columns.map(({ header, cell }) => [header, cell(shown)] as const)} />
      {resource.content?.(shown)}
      {resource.within?.(shown).map((one) => (
        <Within key={one.name} resource={one} />
      ))}
    </Stack>
  );
}

const pagesAtMost = 20;

/** Looks for one row through a list that cannot be asked for it. */
async function found({ load, idOf }: Resource<object>, id: string): Promise<object | undefined> {
  let cursor: string | undefined;
  for (let page = 0; page < pagesAtMost; page++) {
    const { data, next } = await load({ cursor, limit: 100 });
    const row = data.find((one) => idOf(one) === id);
    if (row || next === null) return row;
    cursor = next;
  }
  return undefined;
}
