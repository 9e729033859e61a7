import { Table } from '@mantine/core';
import { type EndpointFigures, type Period, periods } from '../../lib/figures.ts';
import { linkTo } from '../../lib/filters.ts';
import { titleOfReason } from '../../lib/reasons.ts';
import { Hint } from '../../parts/hint.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { Section } from '../../parts/section.tsx';
import { HttpStatus } from '../../parts/status.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { text } from '../../texts/index.ts';

/** The last failed attempts, with links to their deliveries. */
export function LastFailures({ figures, period }: { figures: EndpointFigures | null; period: Period }) {
  const failures = figures?.last_failures ?? [];
  const all =
    figures && linkTo('/deliveries', { endpoint_id: figures.endpoint_id, since: periods[period].since, status: 'failed' });
  return (
    <Section
      title={text.endpoint.failures.title}
      beside={
        all &&
        failures.length > 0 && (
          <PageLink href={all} size="xs">
            {text.endpoint.failures.all}
          </PageLink>
        )
      }
    >
      {failures.length === 0 ? (
        <Hint>{figures ? text.endpoint.failures.none : '…'}</Hint>
      ) : (
        <Table fz="sm" aria-label={text.endpoint.failures.list}>
          <Table.Tbody>
            {failures.map(({ delivery_id, outcome, response_status, at }) => (
              <Table.Tr key={`${delivery_id} ${at}`}>
                <Table.Td>
                  <PageLink href={`/deliveries/${delivery_id}`}>
                    <RelativeTime at={at} />
                  </PageLink>
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
