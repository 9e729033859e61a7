import { Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { paths } from '../lib/api.ts';
import { text } from '../texts/shared.ts';
import { Hint } from './hint.tsx';
import { Failure } from './problem.tsx';
import { Section } from './section.tsx';
import { Time } from './time.tsx';

type Listed = paths['/source-addresses']['get']['responses'][200]['content']['application/json'];

/** The addresses that webhooks come from. Shows nothing if the operator lists none. */
export function SourceAddresses({ load }: { load(): Promise<Listed> }) {
  const { data: listed, error, refetch } = useQuery({ queryKey: ['source-addresses'], queryFn: load });
  const texts = text.parts.sources;
  if (error) return <Failure error={error} retry={() => void refetch()} />;
  if (!listed || listed.data.length === 0) return null;
  return (
    <Section title={texts.title}>
      <Hint size="xs">{texts.about('/.well-known/passerelle-webhook-sources')}</Hint>
      <Table fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.address}</Table.Th>
            <Table.Th>{texts.from}</Table.Th>
            <Table.Th>{texts.until}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {listed.data.map(({ address, valid_from, valid_until }) => (
            <Table.Tr key={address}>
              <Table.Td className="break-anywhere">{address}</Table.Td>
              <Table.Td>
                <Time at={valid_from} none={texts.already} />
              </Table.Td>
              <Table.Td>
                <Time at={valid_until} none={texts.open} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  );
}
