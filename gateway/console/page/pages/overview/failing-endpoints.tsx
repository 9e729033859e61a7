import { Anchor, Badge, Box, Group, Table, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Overview } from '../../lib/figures.ts';
import { count } from '../../lib/format.ts';
import { titleOfReason, useReasons } from '../../lib/reasons.ts';
import { Section } from '../../parts/section.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { countUpTo, withoutQuery } from './problems.ts';

type FailingEndpoint = Overview['endpoints']['in_trouble'][number];

const states: Readonly<Record<FailingEndpoint['trouble']['name'], { label: string; colour: string }>> = {
  held: { label: 'held', colour: 'red' },
  failing: { label: 'failing', colour: 'red' },
  disabled: { label: 'disabled', colour: 'red' },
  unsteady: { label: 'fails at times', colour: 'yellow' },
  behind: { label: 'behind', colour: 'yellow' },
  paused: { label: 'paused', colour: 'gray' },
};

/** The endpoints that need attention: why, since when, and what to do. */
export function FailingEndpoints({
  overview: {
    endpoints: { in_trouble: endpoints },
    deliveries,
  },
}: {
  overview: Overview;
}) {
  if (endpoints.length === 0) return null;
  return (
    <Section title="Endpoints that need attention">
      <Table fz="sm" verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Endpoint</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th visibleFrom="sm">Since</Table.Th>
            <Table.Th visibleFrom="sm">Failed, last minute</Table.Th>
            <Table.Th visibleFrom="sm">Owed</Table.Th>
            <Table.Th visibleFrom="sm">Last failure</Table.Th>
            <Table.Th visibleFrom="sm">What to do</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {endpoints.map((endpoint) => (
            <Row key={endpoint.id} endpoint={endpoint} countedTo={deliveries.counted_to} />
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  );
}

function Row({ endpoint, countedTo }: { endpoint: FailingEndpoint; countedTo: number }) {
  const { id, url, description, trouble } = endpoint;
  const owed = trouble.owed === null ? '–' : countUpTo(trouble.owed, countedTo);
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor component={Link} href={`/endpoints/${id}`} size="sm" fw={600} className="break-anywhere">
          {withoutQuery(url)}
        </Anchor>
        {description && (
          <Text size="xs" c="dimmed">
            {description}
          </Text>
        )}
        <Box hiddenFrom="sm" fz="sm">
          <LastFailure endpoint={endpoint} />
          <div>
            {count(trouble.failed)} of {count(trouble.attempts)} failed, owed: {owed}
          </div>
          <Actions endpoint={endpoint} />
        </Box>
      </Table.Td>
      <Table.Td maw={{ base: 112, sm: 200 }}>
        <Badge color={states[trouble.name].colour} variant="light" size="sm" tt="none" fw={600} className="keep-size">
          {states[trouble.name].label}
        </Badge>
      </Table.Td>
      <Table.Td visibleFrom="sm">{trouble.since === null ? '–' : <RelativeTime at={trouble.since} />}</Table.Td>
      <Table.Td visibleFrom="sm">
        {count(trouble.failed)} of {count(trouble.attempts)}
      </Table.Td>
      <Table.Td visibleFrom="sm">{owed}</Table.Td>
      <Table.Td visibleFrom="sm">
        <LastFailure endpoint={endpoint} />
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Actions endpoint={endpoint} />
      </Table.Td>
    </Table.Tr>
  );
}

function Actions({ endpoint: { id, active } }: { endpoint: FailingEndpoint }) {
  return (
    <Group gap="xs">
      {active && (
        <Anchor component={Link} href={`/endpoints/${id}?test=1`} size="sm">
          Test
        </Anchor>
      )}
      <Anchor component={Link} href={active ? `/endpoints/${id}?retry=1` : `/endpoints/${id}`} size="sm">
        {active ? 'Retry now' : 'Enable'}
      </Anchor>
    </Group>
  );
}

function LastFailure({ endpoint: { last_failure } }: { endpoint: FailingEndpoint }) {
  const reasons = useReasons();
  if (!last_failure) return <span>–</span>;
  const { delivery_id, outcome, at } = last_failure;
  return (
    <Anchor component={Link} href={`/deliveries/${delivery_id}`} size="sm">
      {titleOfReason(reasons, outcome)}, <RelativeTime at={at} />
    </Anchor>
  );
}
