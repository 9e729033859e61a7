import { Anchor, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { paths } from '../lib/api.ts';
import { text } from '../texts/shared.ts';
import { Failure } from './problem.tsx';
import { Section } from './section.tsx';
import { Time } from './time.tsx';

type Page = paths['/consumers']['get']['responses'][200]['content']['application/json'];
export type Consumer = Page['data'][number];

interface ConsumersProps {
  load(): Promise<Pick<Page, 'data'>>;
  hrefOf(consumer: Consumer): string;
  /** Shows whose a consumer is. Left out, all are the viewer's. */
  ownerOf?(consumer: Consumer): ReactNode;
}

const everyMs = 10_000;

export const lagOf = ({ lag }: Consumer): string =>
  lag.events_removed ? text.parts.consumers.removed : text.parts.consumers.events(lag.events, lag.more);

/** Pull consumers with their lag. Shows nothing if there are none. */
export function Consumers({ load, hrefOf, ownerOf }: ConsumersProps) {
  const { data: page, error, refetch } = useQuery({ queryKey: ['consumers'], queryFn: load, refetchInterval: everyMs });
  const texts = text.parts.consumers;
  if (error) return <Failure error={error} retry={() => void refetch()} />;
  if (!page || page.data.length === 0) return null;
  return (
    <Section title={texts.title}>
      <Table.ScrollContainer minWidth={760} type="native" tabIndex={0} role="group" aria-label={texts.title}>
        <Table fz="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{texts.name}</Table.Th>
              {ownerOf && <Table.Th>{texts.owner}</Table.Th>}
              <Table.Th>{texts.types}</Table.Th>
              <Table.Th>{texts.lag}</Table.Th>
              <Table.Th>{texts.oldest}</Table.Th>
              <Table.Th>{texts.acknowledged}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {page.data.map((consumer) => (
              <Table.Tr key={consumer.id}>
                <Table.Td className="break-anywhere">
                  <Anchor component={Link} inherit href={hrefOf(consumer)}>
                    {consumer.name}
                  </Anchor>
                </Table.Td>
                {ownerOf && <Table.Td>{ownerOf(consumer)}</Table.Td>}
                <Table.Td>{consumer.types?.join(', ') ?? text.parts.all}</Table.Td>
                <Table.Td>{lagOf(consumer)}</Table.Td>
                <Table.Td>
                  <Time at={consumer.lag.oldest_at} none={text.parts.none} />
                </Table.Td>
                <Table.Td>
                  <Time at={consumer.acknowledged_at} none={texts.never} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Section>
  );
}
