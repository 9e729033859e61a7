import { Anchor, Stack, Table, Text, Title } from '@mantine/core';
import { Link } from 'wouter';
import { answer, api } from '../../lib/api.ts';
import type { Resource } from '../../parts/resource/resource.ts';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { type Alert, type Rule, Severity } from './severity.tsx';

/** One word for what became of an alert's messages: the worst first. */
function sentOf({ messages }: Alert): Alert['messages'][number]['status'] | null {
  return (
    (['failed', 'pending', 'sent', 'skipped'] as const).find((status) => messages.some((one) => one.status === status)) ?? null
  );
}

function Sent({ of }: { of: Alert }) {
  const status = sentOf(of);
  return status === null ? <span>to nobody</span> : <Status of={status} />;
}

function Messages({ of }: { of: Alert }) {
  return (
    <Stack gap="xs" component="section" aria-label="Messages">
      <Title order={3} size="h6">
        Messages
      </Title>
      {of.messages.length === 0 && (
        <Text size="sm" c="dimmed">
          Nobody was told: no channel takes this alert, or the same alert was sent within its quiet time.
        </Text>
      )}
      {of.messages.length > 0 && (
        <Table.ScrollContainer minWidth={420} type="native" tabIndex={0} role="region" aria-label="Messages">
          <Table fz="xs" verticalSpacing={4}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Channel</Table.Th>
                <Table.Th>Tells</Table.Th>
                <Table.Th>State</Table.Th>
                <Table.Th>Server's answer</Table.Th>
                <Table.Th>When</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {of.messages.map(({ channel_id, channel, kind, status, answer: said, due_at, sent_at }) => (
                <Table.Tr key={`${channel_id} ${kind}`}>
                  <Table.Td className="break-anywhere">{channel ?? 'removed'}</Table.Td>
                  <Table.Td>{kind === 'opened' ? 'it began' : 'it is over'}</Table.Td>
                  <Table.Td>
                    <Status of={status} />
                  </Table.Td>
                  <Table.Td className="break-anywhere">{said ?? '–'}</Table.Td>
                  <Table.Td>
                    <Time at={sent_at ?? due_at} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Stack>
  );
}

const titleOf = (rules: readonly Rule[], name: Rule['name']) => rules.find((rule) => rule.name === name)?.title ?? name;

/** Alerts, newest first, and what was sent where. */
export const historyWith = (rules: readonly Rule[]): Resource<Alert> => ({
  name: 'alerts',
  title: 'Alerts',
  description: 'What the rules have found, and what was sent where. An alert is over when its cause is.',
  empty: 'No rule has found anything.',
  filters: [
    {
      name: 'state',
      label: 'State',
      kind: 'choice',
      choices: [
        { value: 'open', label: 'open' },
        { value: 'resolved', label: 'over' },
      ],
    },
    {
      name: 'rule',
      label: 'Rule',
      kind: 'choice',
      choices: rules.map(({ name, title }) => ({ value: name, label: title })),
      width: 230,
    },
    { name: 'subject', label: 'About', kind: 'text', placeholder: 'id of an endpoint, account or token' },
  ],
  load: async (query) => answer(api.GET('/alerts', { params: { query } })),
  idOf: ({ id }) => id,
  titleOf: ({ message }) => message,
  columns: [
    { header: 'What', width: 230, cell: ({ rule }) => titleOf(rules, rule) },
    { header: 'Severity', width: 100, cell: ({ severity }) => <Severity of={severity} /> },
    { header: 'Which', cell: ({ message }) => message },
    { header: 'State', width: 100, cell: ({ state }) => <Status of={state} /> },
    { header: 'Since', width: 150, cell: ({ opened_at: at }) => <Time at={at} /> },
    { header: 'Sent', width: 110, cell: (alert) => <Sent of={alert} /> },
  ],
  facts: ({ rule, severity, state, page, subject, opened_at: opened, notified_at: notified, resolved_at: resolved }) => [
    [
      'Cause',
      <Anchor key="cause" component={Link} size="sm" underline="always" href={page}>
        Show it
      </Anchor>,
    ],
    ['Rule', titleOf(rules, rule)],
    ['Severity', <Severity key="severity" of={severity} />],
    ['State', <Status key="state" of={state} />],
    [
      'About',
      <span key="about" className="mono break-anywhere">
        {subject === '*' ? 'the gateway' : subject}
      </span>,
    ],
    ['Since', <Time key="opened" at={opened} />],
    ['Handed to channels', <Time key="notified" at={notified} none="not yet" />],
    ['Over', <Time key="resolved" at={resolved} none="no" />],
  ],
  content: (alert) => <Messages of={alert} />,
  actions: [],
});
