import { Stack, Table, Title } from '@mantine/core';
import { Hint } from './hint.tsx';
import { ServerText } from './server-text.tsx';
import { Status } from './status.tsx';
import { Time } from './time.tsx';

interface Sent {
  key: string;
  /** Where it was sent. */
  to: string;
  tells: string;
  status: string;
  answer: string | null;
  /** When it was sent, or is tried again. */
  at: string | null;
}

interface SentMessagesProps {
  messages: readonly Sent[];
  texts: { title: string; none: string; columns: Readonly<Record<'channel' | 'tells' | 'state' | 'answer' | 'when', string>> };
}

/** What was sent where about one alert, with the server's answers. */
export const SentMessages = ({ messages, texts }: SentMessagesProps) => (
  <Stack gap="xs">
    <Title order={3} size="h6">
      {texts.title}
    </Title>
    {messages.length === 0 ? (
      <Hint>{texts.none}</Hint>
    ) : (
      <Table.ScrollContainer minWidth={540} type="native" tabIndex={0} role="region" aria-label={texts.title}>
        <Table fz="xs" verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              {Object.values(texts.columns).map((header) => (
                <Table.Th key={header}>{header}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {messages.map(({ key, to, tells, status, answer, at }) => (
              <Table.Tr key={key}>
                <Table.Td className="break-anywhere">{to}</Table.Td>
                <Table.Td>{tells}</Table.Td>
                <Table.Td>
                  <Status of={status} />
                </Table.Td>
                <Table.Td className="break-anywhere">{answer === null ? '–' : <ServerText>{answer}</ServerText>}</Table.Td>
                <Table.Td>
                  <Time at={at} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    )}
  </Stack>
);

const worstFirst = ['failed', 'pending', 'sent', 'skipped'] as const;

/** One word for what became of messages: the worst of them. */
export function SentState({ messages, none }: { messages: readonly { status: string }[]; none: string }) {
  const worst = worstFirst.find((status) => messages.some((one) => one.status === status));
  return worst === undefined ? <span>{none}</span> : <Status of={worst} />;
}
