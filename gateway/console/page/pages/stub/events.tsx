import { Anchor, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { linkTo } from '../../lib/filters.ts';
import { askStub } from '../../lib/stub.ts';
import { PageLink } from '../../parts/page-link.tsx';
import { NestedList } from '../../parts/resource/nested-list.tsx';
import type { Field, Resource, Values } from '../../parts/resource/resource.ts';
import { Section } from '../../parts/section.tsx';
import { text } from '../../texts/index.ts';
import { SendForm } from './send-form.tsx';
import { readJson, type StubState, useEvents } from './stub.ts';

const words = text.stub.events;
const says = text.stub.endpoints;

interface Sent {
  event: string;
  event_id: string;
  example: boolean;
  because: string;
  deliveries: { id: string; url: string; status: string; response_status: number | null; reason: string | null }[];
}

interface Endpoint {
  id: string;
  url: string;
  events: string[] | null;
  secret: string;
  owner: string | null;
}

/** Causes events, and registers receivers. What was delivered is under the console's deliveries. */
export function Events({ stub }: { stub: StubState }) {
  const [sent, setSent] = useState<Sent | undefined>();
  const events = useEvents(stub.api);
  const fields: Field[] = [
    {
      name: 'event',
      label: words.event,
      kind: 'choice',
      choices: events.map(({ path }) => path),
      labels: Object.fromEntries(events.map(({ path, summary }) => [path, `${path}: ${summary}`])),
      initial: events[0]?.path,
    },
    { name: 'on', label: words.on, kind: 'text', help: words.onHelp, optional: true },
    {
      name: 'to',
      label: words.to,
      kind: 'text',
      help: words.toHelp,
      placeholder: 'http://127.0.0.1:3000/hook',
      optional: true,
      isMore: true,
    },
    { name: 'duplicates', label: words.duplicates, kind: 'number', help: words.duplicatesHelp, optional: true, isMore: true },
    { name: 'data', label: words.data, kind: 'area', help: words.dataHelp, optional: true, isMore: true },
  ];
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Section title={words.send}>
        <Stack gap="sm">
          <SendForm
            key={events.length}
            label={words.send}
            more={words.more}
            fields={fields}
            run={send}
            done={({ event }: Sent) => words.sent(event)}
            sent={(result) => setSent(result)}
          />
          {sent && <Outcome of={sent} />}
        </Stack>
      </Section>
      <Paper withBorder p="sm" miw={0}>
        <NestedList resource={endpointsOf(events.map(({ path }) => path))} level={2} />
      </Paper>
    </SimpleGrid>
  );
}

async function send({ data, ...values }: Values): Promise<Sent> {
  const body = { ...values, ...(data !== undefined && { data: readJson('data', data) }) };
  const [sent] = await askStub<Sent[]>('/trigger', { method: 'POST', body });
  return sent as Sent;
}

const Outcome = ({ of: { event, event_id: id, example, because, deliveries } }: { of: Sent }) => (
  <Stack gap={4} role="status">
    <Text size="sm">
      <b>{event}</b> {example && words.example} {because}
    </Text>
    {deliveries.length === 0 && <Text size="sm">{words.noEndpoint}</Text>}
    {deliveries.map(({ id: delivery, url, status, response_status: answered, reason }) => (
      <PageLink key={delivery} href={`/deliveries/${delivery}`}>
        {words.delivery(status, url, String(answered ?? reason ?? '–'))}
      </PageLink>
    ))}
    <PageLink href={linkTo('/deliveries', { event_id: id })}>{words.deliveries}</PageLink>
  </Stack>
);

const endpointsOf = (types: readonly string[]): Resource<Endpoint> => ({
  name: 'stub endpoints',
  title: says.title,
  description: '',
  empty: says.none,
  live: true,
  load: async () => ({ data: await askStub<Endpoint[]>('/endpoints'), next: null }),
  idOf: ({ id }) => id,
  titleOf: ({ url }) => url,
  columns: [
    {
      header: says.columns.url,
      cell: ({ id, url }) => (
        <Anchor component={Link} href={`/endpoints/${id}`} inherit>
          {url}
        </Anchor>
      ),
    },
    { header: says.columns.events, cell: ({ events }) => events?.join(', ') ?? says.all },
    { header: says.columns.owner, cell: ({ owner }) => owner ?? says.operators },
    { header: says.columns.secret, cell: ({ secret }) => <code>{secret}</code> },
  ],
  create: {
    label: says.add,
    fields: () => [
      { name: 'url', label: says.columns.url, kind: 'text', placeholder: 'http://127.0.0.1:3000/hook' },
      { name: 'owner', label: says.columns.owner, kind: 'text', help: says.ownerHelp, optional: true },
      { name: 'secret', label: says.columns.secret, kind: 'text', help: says.secretHelp, optional: true },
      { name: 'events', label: says.columns.events, kind: 'choices', choices: types, help: says.eventsHelp, optional: true },
    ],
    async run(_, { events, ...values }) {
      const chosen = events as string[];
      await askStub('/endpoints', { method: 'POST', body: { url: '', ...values, ...(chosen.length > 0 && { events: chosen }) } });
      return { message: text.stub.added(String(values.url)) };
    },
  },
  actions: [
    {
      label: text.stub.remove,
      async run({ id, url }) {
        await askStub(`/endpoints/${id}`, { method: 'DELETE' });
        return { message: text.stub.removed(url) };
      },
    },
  ],
});
