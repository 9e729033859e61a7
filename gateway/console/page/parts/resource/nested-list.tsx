import { Group, Stack, Table, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { text } from '../../texts/shared.ts';
import { Hint } from '../hint.tsx';
import { Loading } from '../loading.tsx';
import { Failure } from '../problem.tsx';
import { ActionButton } from './action-button.tsx';
import { ActionResultAlert } from './action-result.tsx';
import type { ActionResult, Resource } from './resource.ts';

const maxShown = 100;

interface NestedListProps {
  resource: Resource<object>;
  /** The level of its heading. */
  level?: 2 | 3;
  /** Buttons for the whole list. */
  beside?: ReactNode;
}

/** A short list that belongs to one row, with the actions of each line. */
export function NestedList({ resource, level = 3, beside }: NestedListProps) {
  const [result, setResult] = useState<ActionResult | null>(null);
  const rows = useQuery({
    queryKey: ['back-office', resource.name],
    queryFn: () => resource.load({ limit: maxShown }),
    refetchInterval: resource.live ? 1000 : false,
  });
  const { columns, description, actions, create, idOf, titleOf } = resource;
  return (
    <Stack gap="xs" role="group" aria-label={resource.title}>
      <Group justify="space-between">
        <Title order={level} size="h6">
          {resource.title}
        </Title>
        <Group gap="xs">
          {beside}
          {create && <ActionButton action={create} row={null} subject="" done={setResult} />}
        </Group>
      </Group>
      {description !== '' && <Hint size="xs">{description}</Hint>}
      {result && <ActionResultAlert of={result} close={() => setResult(null)} />}
      {rows.error && <Failure error={rows.error} retry={rows.refetch} />}
      {rows.isPending && <Loading lines={2} />}
      {rows.data?.data.length === 0 && <Hint>{resource.empty}</Hint>}
      {rows.data && rows.data.data.length > 0 && (
        <Table.ScrollContainer minWidth={420} type="native" tabIndex={0} role="region" aria-label={resource.title}>
          <Table fz="xs" verticalSpacing={4}>
            <Table.Thead>
              <Table.Tr>
                {columns.map(({ header }) => (
                  <Table.Th key={header}>{header}</Table.Th>
                ))}
                {actions.length > 0 && <Table.Th>{text.parts.resource.actions}</Table.Th>}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.data.data.map((row) => (
                <Table.Tr key={idOf(row)}>
                  {columns.map(({ header, cell }) => (
                    <Table.Td key={header} className="break-anywhere">
                      {cell(row)}
                    </Table.Td>
                  ))}
                  {actions.length > 0 && (
                    <Table.Td>
                      {actions
                        .filter(({ offered }) => offered?.(row) ?? true)
                        .map((action) => (
                          <ActionButton key={action.label} action={action} row={row} subject={titleOf(row)} done={setResult} />
                        ))}
                    </Table.Td>
                  )}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {rows.data?.next && <Hint size="xs">{text.parts.resource.newestOnly(maxShown)}</Hint>}
    </Stack>
  );
}
