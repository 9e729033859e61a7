import { Stack, Table, Text } from '@mantine/core';
import type { Overview } from '../lib/figures.ts';
import { percent } from '../lib/format.ts';
import { duration } from '../lib/time.ts';
import { text } from '../texts/shared.ts';
import { Hint } from './hint.tsx';
import { Section } from './section.tsx';

interface DelaysProps {
  of: Overview['delays'];
  /** The period, in words. */
  words: string;
}

/** How late deliveries are, and whose fault it is. */
export function Delays({ of: { arrived, delay_ms, parts, first_attempts, in_time }, words }: DelaysProps) {
  const says = text.delays;
  return (
    <Section title={says.title}>
      {delay_ms === null ? (
        <Hint>{says.none(words)}</Hint>
      ) : (
        <Stack gap="sm">
          <Text size="sm">{says.whole(duration(delay_ms.p50), duration(delay_ms.p99), arrived)}</Text>
          <Table fz="sm" verticalSpacing={4} aria-label={says.title}>
            <Table.Thead>
              <Table.Tr>
                {[says.part, says.share, 'p50', 'p99'].map((name) => (
                  <Table.Th key={name}>{name}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {parts.map(({ part, share, delay_ms: own }) => (
                <Table.Tr key={part}>
                  <Table.Td>{says.parts[part]}</Table.Td>
                  <Table.Td>{percent(share)}</Table.Td>
                  <Table.Td>{own ? duration(own.p50) : '–'}</Table.Td>
                  <Table.Td>{own ? duration(own.p99) : '–'}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          {in_time !== null && (
            <Text size="sm" c="dimmed">
              {says.inTime(percent(in_time), first_attempts)}
            </Text>
          )}
        </Stack>
      )}
    </Section>
  );
}
