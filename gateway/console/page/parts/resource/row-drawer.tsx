import { Drawer, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { text } from '../../texts/shared.ts';
import { Facts } from '../facts.tsx';
import { Loading } from '../loading.tsx';
import { Failure, Problem } from '../problem.tsx';
import { ActionButton } from './action-button.tsx';
import { ActionResultAlert } from './action-result.tsx';
import { NestedList } from './nested-list.tsx';
import type { ActionResult, Resource } from './resource.ts';

interface RowDrawerProps {
  resource: Resource<object>;
  /** The id of the open row, from the address. */
  id: string | undefined;
  close(): void;
}

/** One row with its facts, its nested lists and the actions that are possible now. */
export function RowDrawer({ resource, id, close }: RowDrawerProps) {
  const [result, setResult] = useState<ActionResult | null>(null);
  // A secret that is shown once is left only by its own button, or that of the drawer.
  const isLeftEasily = result?.secret === undefined;
  const leave = () => {
    setResult(null);
    close();
  };
  return (
    <Drawer
      opened={id !== undefined}
      onClose={leave}
      closeOnEscape={isLeftEasily}
      closeOnClickOutside={isLeftEasily}
      position="right"
      size="lg"
      title={resource.title}
    >
      {id !== undefined && <Row key={id} resource={resource} id={id} result={result} setResult={setResult} />}
    </Drawer>
  );
}

interface RowProps {
  resource: Resource<object>;
  id: string;
  result: ActionResult | null;
  setResult(result: ActionResult | null): void;
}

function Row({ resource, id, result, setResult }: RowProps) {
  const row = useQuery({
    queryKey: ['back-office', resource.name, 'row', id],
    queryFn: async () => (await (resource.read ? resource.read(id) : findRow(resource, id))) ?? null,
  });
  if (row.error) return <Failure error={row.error} retry={row.refetch} />;
  if (row.data === undefined) return <Loading />;
  // An action may have removed it.
  if (row.data === null && result) return <ActionResultAlert of={result} close={() => setResult(null)} />;
  if (row.data === null) return <Problem title={text.parts.resource.notFound(id)} next={text.parts.resource.notFoundAdvice} />;
  const shown = row.data;
  const actions = resource.actions.filter(({ offered }) => offered?.(shown) ?? true);
  return (
    <Stack>
      <Text size="lg" fw={600} className="break-anywhere">
        {resource.titleOf(shown)}
      </Text>
      {result && <ActionResultAlert of={result} close={() => setResult(null)} />}
      {actions.length > 0 && (
        <Group gap="xs">
          {actions.map((action) => (
            <ActionButton key={action.label} action={action} row={shown} subject={resource.titleOf(shown)} done={setResult} />
          ))}
        </Group>
      )}
      <Facts of={resource.facts?.(shown) ?? resource.columns.map(({ header, cell }) => [header, cell(shown)] as const)} />
      {resource.content?.(shown)}
      {resource.nested?.(shown).map((one) => (
        <NestedList key={one.name} resource={one} />
      ))}
    </Stack>
  );
}

const maxPages = 20;

async function findRow({ load, idOf }: Resource<object>, id: string): Promise<object | undefined> {
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const { data, next } = await load({ cursor, limit: 100 });
    const row = data.find((one) => idOf(one) === id);
    if (row || next === null) return row;
    cursor = next;
  }
  return undefined;
}
