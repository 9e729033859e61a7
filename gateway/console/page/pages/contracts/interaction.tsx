import { Alert, Badge, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { Fragment, useState } from 'react';
import { duration } from '../../lib/time.ts';
import { Code, Headers } from '../../parts/code.tsx';
import { Hint } from '../../parts/hint.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { ServerText } from '../../parts/server-text.tsx';
import { text } from '../../texts/index.ts';
import { type Interaction, outcomeColours } from './report-types.ts';

const words = text.contracts.interaction;

type Mismatch = Interaction['problems'][number];

/** One interaction. A failed one is open and shows its mismatches. */
export function InteractionEntry({ of: interaction }: { of: Interaction }) {
  const { description, consumer, outcome, states, durationMs, problems, restsOn, source } = interaction;
  const [open, setOpen] = useState(outcome === 'failed');
  return (
    <details className="fold" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Badge color={outcomeColours[outcome]} mr={8}>
          {text.contracts.report.outcome[outcome]}
        </Badge>
        <Text span size="sm" className="break-anywhere">
          <ServerText>{`${consumer}: ${description}`}</ServerText>
        </Text>
      </summary>
      {open && (
        <Stack gap="xs" py="xs" pl={4}>
          <Text size="xs" c="dimmed" className="break-anywhere">
            {states.length > 0 && words.given(<States of={states} />)} {words.source(duration(durationMs), source)}
          </Text>
          {problems.map((problem, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a report does not change.
            <MismatchAlert key={index} of={problem} />
          ))}
          {restsOn.length > 0 && (
            <Group gap="xs">
              <Hint size="xs">{words.restsOn}</Hint>
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

/** The provider states. Their names come from the pacts, in English. */
const States = ({ of: states }: { of: Interaction['states'] }) =>
  states.map(({ name }, index) => (
    <Fragment key={name}>
      {index > 0 && words.and}
      <ServerText>{name}</ServerText>
    </Fragment>
  ));

const gapPath = (id: string) => `/contracts/gaps#${encodeURIComponent(id)}`;

const GapLink = ({ id }: { id: string }) => (
  <PageLink href={gapPath(id)} size="xs" className="mono">
    {id}
  </PageLink>
);

const MismatchAlert = ({ of: { kind, path, message, expected, actual, documented, gap } }: { of: Mismatch }) => (
  <Alert color="red" title={path === undefined ? words.kind[kind] : words.at(words.kind[kind], path)}>
    <Stack gap={4}>
      <Text size="sm" className="break-anywhere">
        <ServerText>{message}</ServerText>
      </Text>
      {expected !== undefined && <Value name={words.expected} value={expected} />}
      {actual !== undefined && <Value name={words.actual} value={actual} />}
      {documented && (
        <Text size="sm">
          {words.documented(
            <ServerText>{documented.document}</ServerText>,
            documented.section,
            <ServerText>{documented.says}</ServerText>,
          )}
        </Text>
      )}
      {gap && (
        <Text size="sm">
          {words.gap(<ServerText>{gap.question}</ServerText>, <ServerText>{gap.choice}</ServerText>, <GapLink id={gap.id} />)}
        </Text>
      )}
    </Stack>
  </Alert>
);

const Value = ({ name, value }: { name: string; value: string }) => (
  <Text size="sm" className="break-anywhere">
    <b>{words.value(name)}</b> <span className="mono">{value}</span>
  </Text>
);

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
          {request.body !== '' && <Code title={words.requestBody} text={request.body} />}
        </Stack>
      )}
      {reply && (
        <Stack gap="xs">
          <Headers title={words.reply(reply.status)} of={reply.headers} />
          {reply.body !== '' && <Code title={words.replyBody} text={reply.body} />}
        </Stack>
      )}
      {message && <Code title={words.message} text={message.body} />}
    </SimpleGrid>
  );
}
