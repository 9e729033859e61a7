import { Alert, Anchor, Badge, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { duration } from '../../lib/time.ts';
import { Code, Headers } from '../../parts/code.tsx';
import { type Interaction, outcomeColours } from './report-types.ts';

type Mismatch = Interaction['problems'][number];

/** One interaction. A failed one is open and shows its mismatches. */
export function InteractionEntry({ of: interaction }: { of: Interaction }) {
  const { description, consumer, outcome, states, durationMs, problems, restsOn, source } = interaction;
  const [open, setOpen] = useState(outcome === 'failed');
  return (
    <details className="fold" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Badge size="sm" variant="light" color={outcomeColours[outcome]} tt="none" mr={8}>
          {outcome}
        </Badge>
        <Text span size="sm" className="break-anywhere">
          {consumer}: {description}
        </Text>
      </summary>
      {open && (
        <Stack gap="xs" py="xs" pl={4}>
          <Text size="xs" c="dimmed" className="break-anywhere">
            {states.length > 0 && `Given ${states.map(({ name }) => name).join(', and ')}. `}
            {duration(durationMs)}, from {source}.
          </Text>
          {problems.map((problem, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a report does not change.
            <MismatchAlert key={index} of={problem} />
          ))}
          {restsOn.length > 0 && (
            <Group gap="xs">
              <Text size="xs" c="dimmed">
                Depends on the choices for:
              </Text>
              {restsOn.map((id) => (
                <GapLink key={id} id={id} />
              ))}
            </Group>
          )}
          <Exchange of={interaction} />
        </Stack>
      )}
    </details>
  );
}

const gapPath = (id: string) => `/contracts/gaps#${encodeURIComponent(id)}`;

function GapLink({ id }: { id: string }) {
  return (
    <Anchor component={Link} href={gapPath(id)} size="xs" className="mono">
      {id}
    </Anchor>
  );
}

function MismatchAlert({ of: { kind, path, message, expected, actual, documented, gap } }: { of: Mismatch }) {
  return (
    <Alert color="red" variant="light" title={path === undefined ? kind : `${kind} at ${path}`}>
      <Stack gap={4}>
        <Text size="sm" className="break-anywhere">
          {message}
        </Text>
        {expected !== undefined && <Value name="Expected" value={expected} />}
        {actual !== undefined && <Value name="Actual" value={actual} />}
        {documented && (
          <Text size="sm">
            {documented.document}, section {documented.section}: “{documented.says}”
          </Text>
        )}
        {gap && (
          <Text size="sm">
            The documents leave open: {gap.question} Choice: {gap.choice} (<GapLink id={gap.id} />)
          </Text>
        )}
      </Stack>
    </Alert>
  );
}

function Value({ name, value }: { name: string; value: string }) {
  return (
    <Text size="sm" className="break-anywhere">
      <b>{name}:</b> <span className="mono">{value}</span>
    </Text>
  );
}

function Exchange({ of: { exchange } }: { of: Interaction }) {
  if (!exchange) return null;
  const { request, reply, message } = exchange;
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="sm">
      {request && (
        <Stack gap="xs">
          <Headers
            title={`${request.method} ${request.path}${request.query === '' ? '' : `?${request.query}`}`}
            of={request.headers}
          />
          {request.body !== '' && <Code title="Request body" text={request.body} />}
        </Stack>
      )}
      {reply && (
        <Stack gap="xs">
          <Headers title={`Reply: ${reply.status}`} of={reply.headers} />
          {reply.body !== '' && <Code title="Reply body" text={reply.body} />}
        </Stack>
      )}
      {message && <Code title="Message" text={message.body} />}
    </SimpleGrid>
  );
}
