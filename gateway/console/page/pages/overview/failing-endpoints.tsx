import { Anchor, Box, Group, Table, Text } from '@mantine/core';
import { Link } from 'wouter';
import { stateOf } from '../../lib/endpoint-state.ts';
import type { Overview } from '../../lib/figures.ts';
import { count } from '../../lib/format.ts';
import { titleOfReason, useReasons } from '../../lib/reasons.ts';
import { EndpointStateCell } from '../../parts/endpoint/state.tsx';
import { Section } from '../../parts/section.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { withoutQuery } from './problems.ts';

type FailingEndpoint = Overview['endpoints']['in_trouble'][number];

/** The endpoints that need attention: why, since when, and what to do. */
export function FailingEndpoints({ endpoints }: { endpoints: readonly FailingEndpoint[] }) {
  const shown = endpoints.filter((endpoint) => stateOf(endpoint).word !== 'active');
  if (shown.length === 0) return null;
  return (
    <Section title="Failing endpoints">
      <Table fz="sm" verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Endpoint</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th visibleFrom="sm">Failing since</Table.Th>
            <Table.Th visibleFrom="sm">Failed attempts</Table.Th>
            <Table.Th visibleFrom="sm">Last failure</Table.Th>
            <Table.Th visibleFrom="sm">What to do</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map((endpoint) => (
            <Row key={endpoint.id} endpoint={endpoint} />
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  );
}

function Row({ endpoint }: { endpoint: FailingEndpoint }) {
  const { id, url, description, health, attempts, failed, active } = endpoint;
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
        <Box hiddenFrom="sm">
          <LastFailure endpoint={endpoint} />
        </Box>
      </Table.Td>
      <Table.Td maw={{ base: 112, sm: 200 }}>
        <EndpointStateCell endpoint={endpoint} />
      </Table.Td>
      <Table.Td visibleFrom="sm">{health.failing_since === null ? '–' : <RelativeTime at={health.failing_since} />}</Table.Td>
      <Table.Td visibleFrom="sm">
        {count(failed)} of {count(attempts)}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <LastFailure endpoint={endpoint} />
      </Table.Td>
      <Table.Td visibleFrom="sm">
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
      </Table.Td>
    </Table.Tr>
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
