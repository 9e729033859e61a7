import { Alert, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { curlLine } from '../../../../http/record/curl.ts';
import { count } from '../../lib/format.ts';
import { Code, Copy, Headers } from '../../parts/code.tsx';
import { Facts } from '../../parts/facts.tsx';
import { HttpStatus } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import type { Attempt, Delivery } from './delivery.ts';
import { connectionOf } from './phases.ts';
import { Waterfall } from './waterfall.tsx';

interface AttemptDetailsProps {
  delivery: Delivery;
  attempt: Attempt;
  titleOf(reason: string): string;
}

/** Everything recorded about one attempt: timings, request and response. */
export function AttemptDetails({ delivery, attempt, titleOf }: AttemptDetailsProps) {
  const { number, outcome, error, advice, started_at } = attempt;
  const body = delivery.event?.body;
  // The summary shows the advice for the delivery's own reason.
  const isShownAbove = outcome === delivery.reason;
  return (
    <Paper withBorder p="md" component="section" aria-label={`Attempt ${number}`}>
      <Stack gap="md">
        <Group justify="space-between">
          <Group gap="xs">
            <Title order={2} size="h5">
              Attempt {number}
            </Title>
            <Text size="sm" c="dimmed">
              <Time at={started_at} />
            </Text>
          </Group>
          {body !== undefined && <Copy label="Copy as curl" text={curlOf(attempt, body)} />}
        </Group>
        {outcome !== 'success' && (
          <Alert color="red" variant="light" title={titleOf(outcome)} p="sm">
            <Text size="sm" className="break-anywhere">
              {error}
            </Text>
            {advice && !isShownAbove && (
              <Text size="sm" fw={600}>
                {advice}
              </Text>
            )}
          </Alert>
        )}
        <Waterfall attempt={attempt} />
        <ConnectionFacts attempt={attempt} />
        <ResponsePart attempt={attempt} />
        <RequestPart attempt={attempt} body={body} />
      </Stack>
    </Paper>
  );
}

/** The request as it was sent. A receiver that checks the timestamp rejects it later. */
const curlOf = ({ url, request_headers }: Attempt, body: string) =>
  curlLine({ method: 'POST', url, headers: request_headers, body });

const connections = { new: 'new', reused: 'reused', none: 'none' } as const;

function ConnectionFacts({ attempt }: { attempt: Attempt }) {
  const { url, address, secret_ids } = attempt;
  return (
    <Facts
      of={[
        ['Sent to', <span key="url">{url}</span>],
        ['Address', address ?? 'none'],
        ['Connection', connections[connectionOf(attempt)]],
        [
          secret_ids.length > 1 ? 'Signing secrets, newest first' : 'Signing secret',
          <span key="secrets" className="mono">
            {secret_ids.join(', ') || '–'}
          </span>,
        ],
      ]}
    />
  );
}

function Part({ title, beside, children }: { title: string; beside?: ReactNode; children: ReactNode }) {
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Title order={3} size="h6">
          {title}
        </Title>
        {beside}
      </Group>
      {children}
    </Stack>
  );
}

function ResponsePart({ attempt }: { attempt: Attempt }) {
  const { response_status, response_headers, response_body, response_truncated } = attempt;
  if (response_status === null)
    return (
      <Part title="Response">
        <Text size="sm" c="dimmed">
          No response.
        </Text>
      </Part>
    );
  return (
    <Part title="Response" beside={<HttpStatus status={response_status} />}>
      <Code title="Response body" text={response_body ?? ''} />
      {response_truncated && (
        <Text size="xs" c="dimmed">
          Incomplete: the response was too long to keep, or ended early.
        </Text>
      )}
      <Headers title="Response headers" of={response_headers ?? {}} />
    </Part>
  );
}

function RequestPart({ attempt, body }: { attempt: Attempt; body: string | undefined }) {
  const bytes = body === undefined ? null : new TextEncoder().encode(body).length;
  return (
    <Part
      title="Request"
      beside={
        bytes !== null && (
          <Text size="xs" c="dimmed">
            {count(bytes)} bytes, the same in every attempt
          </Text>
        )
      }
    >
      <Headers title="Request headers" of={attempt.request_headers} />
      {body === undefined ? (
        <Text size="sm" c="dimmed">
          The event and its body are no longer kept.
        </Text>
      ) : (
        <Code title="Request body" text={body} />
      )}
    </Part>
  );
}
