import { Anchor, Table, Text } from '@mantine/core';
import { Link } from 'wouter';
import { type EndpointFigures, type Period, periods } from '../../lib/figures.ts';
import { linkTo } from '../../lib/filters.ts';
import { titleOfReason } from '../../lib/reasons.ts';
import { Section } from '../../parts/section.tsx';
import { HttpStatus } from '../../parts/status.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { text } from '../../texts/index.ts';

interface LastFailuresProps {
  figures: EndpointFigures | null;
  period: Period;
}

/** The last failed attempts, with links to their deliveries. */
export function LastFailures({ figures, period }: LastFailuresProps) {
  const failures = figures?.last_failures ?? [];
  const all =
    figures && linkTo('/deliveries', { endpoint_id: figures.endpoint_id, since: periods[period].since, status: 'failed' });
  return (
    <Section
      title={text.endpoint.failures.title}
      beside={
        all &&
        failures.length > 0 && (
          <Anchor component={Link} href={all} size="xs">
            {text.endpoint.failures.all}
          </Anchor>
        )
      }
    >
      {failures.length === 0 ? (
        <Text size="sm" c="dimmed">
          {figures ? text.endpoint.failures.none : '…'}
        </Text>
      ) : (
        <Table fz="sm" aria-label={text.endpoint.failures.list}>
          <Table.Tbody>
            {failures.map(({ delivery_id, outcome, response_status, at }) => (
              <Table.Tr key={`${delivery_id} ${at}`}>
                <Table.Td>
                  <Anchor component={Link} href={`/deliveries/${delivery_id}`} size="sm">
                    <RelativeTime at={at} />
                  </Anchor>
                </Table.Td>
                <Table.Td>{titleOfReason(outcome, response_status)}</Table.Td>
                <Table.Td ta="right">
                  <HttpStatus status={response_status} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Section>
  );
}
