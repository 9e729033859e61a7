import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { linkTo } from '../../lib/filters.ts';
import { askStub } from '../../lib/stub.ts';
import { PageLink } from '../../parts/page-link.tsx';
import type { Field, Values } from '../../parts/resource/resource.ts';
import { Section } from '../../parts/section.tsx';
import { text } from '../../texts/index.ts';
import { SendForm } from './send-form.tsx';
import { readJson, type StubState, useEvents } from './stub.ts';

const words = text.stub.events;

interface Sent {
  event: string;
  event_id: string;
  example: boolean;
  because: string;
  deliveries: { id: string; url: string; status: string; response_status: number | null; reason: string | null }[];
}

/** Causes events. Who gets them, and what was delivered, is under the console's endpoints and deliveries. */
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
