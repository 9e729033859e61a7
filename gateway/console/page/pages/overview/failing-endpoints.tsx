import { Badge, Box, Group, Table } from '@mantine/core';
import type { Overview } from '../../lib/figures.ts';
import { titleOfReason } from '../../lib/reasons.ts';
import { OwnerName } from '../../parts/endpoint/name.tsx';
import { Hint } from '../../parts/hint.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { Section } from '../../parts/section.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { text } from '../../texts/index.ts';
import { countUpTo, withoutQuery } from './problems.ts';

type FailingEndpoint = Overview['endpoints']['in_trouble'][number];

const says = text.overview.trouble;
const unknown = '–';

const colours: Readonly<Record<FailingEndpoint['trouble']['name'], string>> = {
  held: 'red',
  failing: 'red',
  disabled: 'red',
  unsteady: 'yellow',
  behind: 'yellow',
  paused: 'gray',
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
    <Section title={says.title}>
      <Table fz="sm" verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{says.endpoint}</Table.Th>
            <Table.Th>{says.state}</Table.Th>
            <Table.Th visibleFrom="sm">{says.since}</Table.Th>
            <Table.Th visibleFrom="sm" ta="right">
              {says.failed}
            </Table.Th>
            <Table.Th visibleFrom="sm" ta="right">
              {says.owed}
            </Table.Th>
            <Table.Th visibleFrom="sm">{says.lastFailure}</Table.Th>
            <Table.Th visibleFrom="sm">{says.whatToDo}</Table.Th>
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
  const { id, url, owner, description, trouble } = endpoint;
  const owed = trouble.owed === null ? unknown : countUpTo(trouble.owed, countedTo);
  return (
    <Table.Tr>
      <Table.Td>
        <PageLink href={`/endpoints/${id}`} fw={600} className="break-anywhere">
          {withoutQuery(url)}
        </PageLink>
        <OwnerName of={owner} />
        {description && <Hint size="xs">{description}</Hint>}
        <Box hiddenFrom="sm" fz="sm">
          <LastFailure endpoint={endpoint} />
          <div>{says.failedAndOwed(trouble.failed, trouble.attempts, owed)}</div>
          <Actions endpoint={endpoint} />
        </Box>
      </Table.Td>
      <Table.Td maw={{ base: 112, sm: 200 }}>
        <Badge variant="dot" color={colours[trouble.name]} miw="max-content">
          {says.states[trouble.name]}
        </Badge>
      </Table.Td>
      <Table.Td visibleFrom="sm">{trouble.since === null ? unknown : <RelativeTime at={trouble.since} />}</Table.Td>
      <Table.Td visibleFrom="sm" ta="right">
        {says.failedOf(trouble.failed, trouble.attempts)}
      </Table.Td>
      <Table.Td visibleFrom="sm" ta="right">
        {owed}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <LastFailure endpoint={endpoint} />
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Actions endpoint={endpoint} />
      </Table.Td>
    </Table.Tr>
  );
}

const Actions = ({ endpoint: { id, active } }: { endpoint: FailingEndpoint }) => (
  <Group gap="xs">
    {active && <PageLink href={`/endpoints/${id}?test=1`}>{says.test}</PageLink>}
    <PageLink href={active ? `/endpoints/${id}?retry=1` : `/endpoints/${id}`}>
      {active ? text.overview.retryNow : says.enable}
    </PageLink>
  </Group>
);

function LastFailure({ endpoint: { last_failure } }: { endpoint: FailingEndpoint }) {
  if (!last_failure) return <span>{unknown}</span>;
  const { delivery_id, outcome, response_status, at } = last_failure;
  return (
    <PageLink href={`/deliveries/${delivery_id}`}>
      {says.failure(titleOfReason(outcome, response_status), <RelativeTime at={at} />)}
    </PageLink>
  );
}
