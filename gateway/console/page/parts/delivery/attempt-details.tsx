import { Alert, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { curlLine } from '../../../../http/record/curl.ts';
import { reasonOf } from '../../lib/reasons.ts';
import { text } from '../../texts/shared.ts';
import { Code, Copy, Headers } from '../code.tsx';
import { Facts } from '../facts.tsx';
import { Hint } from '../hint.tsx';
import { HttpStatus } from '../status.tsx';
import { Time } from '../time.tsx';
import { AttemptError } from './attempt-error.tsx';
import type { Attempt, Delivery } from './delivery.ts';
import { connectionOf } from './phases.ts';
import { Waterfall } from './waterfall.tsx';

const says = text.delivery.details;

/** Everything recorded about one attempt: timings, request and response. */
export function AttemptDetails({ delivery, attempt }: { delivery: Delivery; attempt: Attempt }) {
  const { number, outcome, response_status, started_at } = attempt;
  const reason = reasonOf(outcome, response_status);
  const body = delivery.event?.body;
  // The summary shows the advice for the delivery's own reason.
  const isShownAbove = outcome === delivery.reason;
  return (
    <Paper withBorder p="md" component="section" aria-label={text.delivery.attempt(number)}>
      <Stack gap="md">
        <Group justify="space-between">
          <Group gap="xs">
            <Title order={2} size="h5">
              {text.delivery.attempt(number)}
            </Title>
            <Hint>
              <Time at={started_at} />
            </Hint>
          </Group>
          {body !== undefined && <Copy label={says.copyAsCurl} text={curlOf(attempt, body)} />}
        </Group>
        {outcome !== 'success' && (
          <Alert color="red" title={reason?.title ?? outcome} p="sm">
            <Text size="sm" className="break-anywhere">
              <AttemptError of={attempt} />
            </Text>
            {reason?.advice && !isShownAbove && (
              <Text size="sm" fw={600}>
                {reason.advice}
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

function ConnectionFacts({ attempt }: { attempt: Attempt }) {
  const { url, address, secret_ids } = attempt;
  return (
    <Facts
      of={[
        [says.sentTo, <span key="url">{url}</span>],
        [says.address, address ?? says.noAddress],
        [says.connection, says.connections[connectionOf(attempt)]],
        [
          secret_ids.length > 1 ? says.secrets : says.secret,
          <span key="secrets" className="mono">
            {secret_ids.join(', ') || '–'}
          </span>,
        ],
      ]}
    />
  );
}

const Part = ({ title, beside, children }: { title: string; beside?: ReactNode; children: ReactNode }) => (
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

function ResponsePart({ attempt }: { attempt: Attempt }) {
  const { response_status, response_headers, response_body, response_truncated } = attempt;
  if (response_status === null)
    return (
      <Part title={says.response}>
        <Hint>{says.noResponse}</Hint>
      </Part>
    );
  return (
    <Part title={says.response} beside={<HttpStatus status={response_status} />}>
      <Code title={says.responseBody} text={response_body ?? ''} />
      {response_truncated && <Hint size="xs">{says.incomplete}</Hint>}
      <Headers title={says.responseHeaders} of={response_headers ?? {}} />
    </Part>
  );
}

function RequestPart({ attempt, body }: { attempt: Attempt; body: string | undefined }) {
  const bytes = body === undefined ? null : new TextEncoder().encode(body).length;
  return (
    <Part title={says.request} beside={bytes !== null && <Hint size="xs">{says.bytes(bytes)}</Hint>}>
      <Headers title={says.requestHeaders} of={attempt.request_headers} />
      {body === undefined ? <Hint>{says.bodyNotKept}</Hint> : <Code title={text.delivery.requestBody} text={body} />}
    </Part>
  );
}
