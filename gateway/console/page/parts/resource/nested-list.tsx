import { Group, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Waiting } from '../loading.tsx';
import { Failure } from '../problem.tsx';
import { ActionButton } from './action-button.tsx';
import { Done } from './action-result.tsx';
import type { Outcome, Resource } from './resource.ts';

const shownAtMost = 100;

/** What belongs to one row: a short list, each line with what can be done with it. */
export function Within({ resource }: { resource: Resource<object> }) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const rows = useQuery({
    queryKey: ['back-office', resource.name],
    queryFn: () => resource.load({ limit: shownAtMost }),
  });
  const { columns, actions, create, idOf, titleOf } = resource;
  return (
    <Stack gap="xs" component="section" aria-label={resource.title}>
      <Group justify="space-between">
        <Title order={3} size="h6">
          {resource.title}
        </Title>
        {create && <ActionButton action={create} row={null} subject="" done={setOutcome} />}
      </Group>
      {outcome && <Done of={outcome} close={() => setOutcome(null)} />}
      {rows.error && <Failure error={rows.error} retry={rows.refetch} />}
      {rows.isPending && <Waiting lines={2} />}
      {rows.data?.data.length === 0 && (
        <Text size="sm" c="dimmed">
          {resource.empty}
        </Text>
      )}
      {rows.data && rows.data.data.length > 0 && (
        <Table.ScrollContainer minWidth={420} type="native" tabIndex={0} role="region" aria-label={resource.title}>
          <Table fz="xs" verticalSpacing={4}>
            <Table.Thead>
              <Table.Tr>
                {columns.map(({ header }) => (
                  <Table.Th key={header}>{header}</Table.Th>
                ))}
                {actions.length > 0 && <Table.Th>Actions</Table.Th>}
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
                          <ActionButton key={action.label} action={action} row={row} subject={titleOf(row)} done={setOutcome} />
                        ))}
                    </Table.Td>
                  )}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {rows.data?.next && (
        <Text size="xs" c="dimmed">
          {`The newest ${shownAtMost} are shown.`}
        </Text>
      )}
    </Stack>
  );
}
