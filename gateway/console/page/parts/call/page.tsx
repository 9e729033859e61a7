import { SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { curlLine } from '../../../../http/record/curl.ts';
import type { CallDetail } from '../../lib/calls.ts';
import { duration } from '../../lib/time.ts';
import { text } from '../../texts/shared.ts';
import { Code, Copy, Headers } from '../code.tsx';
import { type Fact, Facts } from '../facts.tsx';
import { Frame } from '../frame.tsx';
import { Hint } from '../hint.tsx';
import { Loading } from '../loading.tsx';
import { NeighbourButtons } from '../neighbour-buttons.tsx';
import { Failure } from '../problem.tsx';
import { HttpStatus } from '../status.tsx';
import { Time } from '../time.tsx';

const says = text.call;

/** What a viewer sees of a call. */
interface CallParts<C> {
  /** Why it was refused. */
  refusal(call: C): ReactNode;
  facts(call: C): readonly Fact[];
  /** Shown between the facts and the messages. */
  about(call: C): ReactNode;
}

interface CallPageProps<C> extends CallParts<C> {
  id: string;
  read(id: string): Promise<C>;
  /** Its call is left out while it is read. */
  actions?(call: C | undefined): ReactNode;
}

/** One recorded call: its request, its response and, if it was refused, why. */
export function CallPage<C extends CallDetail>({ id, read, actions, ...parts }: CallPageProps<C>) {
  const {
    data: call,
    error,
    refetch,
  } = useQuery({
    queryKey: ['call', id],
    queryFn: () => read(id),
    // A recorded call does not change.
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Frame
      title={call ? `${call.method} ${call.path}` : says.title}
      beside={call && <HttpStatus status={call.status} />}
      from={{ href: '/calls', label: says.all }}
      actions={
        <>
          {call && <Copy text={curlOf(call, location.protocol)} label={says.copyCurl} />}
          {actions?.(call)}
          <NeighbourButtons what="call" />
        </>
      }
    >
      {error ? <Failure error={error} retry={refetch} /> : call ? <CallDetails call={call} {...parts} /> : <Loading />}
    </Frame>
  );
}

function CallDetails<C extends CallDetail>({ call, refusal, facts, about }: CallParts<C> & { call: C }) {
  const { request_headers, request_body, response_headers, response_body } = call;
  const messages = [
    { ...says.request, key: `${call.id} request`, fields: request_headers, content: request_body },
    { ...says.response, key: `${call.id} response`, fields: response_headers, content: response_body },
  ];
  return (
    <Stack>
      {refusal(call)}
      <Facts
        of={[
          [says.facts.time, <Time key="at" at={call.at} />],
          [says.facts.duration, duration(call.duration_ms)],
          ...facts(call),
          [
            says.facts.id,
            <span key="id" className="mono break-anywhere">
              {call.id} <Copy text={call.id} />
            </span>,
          ],
        ]}
      />
      {about(call)}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        {messages.map(({ key, title, headers, body, fields, content }) => (
          <Stack key={key} gap="sm" component="section" aria-label={title}>
            <Headers title={headers} of={fields} />
            <Code title={body} text={content ?? ''} />
          </Stack>
        ))}
      </SimpleGrid>
      {hasRedacted(call) && <Hint size="xs">{says.redacted}</Hint>}
    </Stack>
  );
}

type Sent = Pick<CallDetail, 'method' | 'path' | 'request_headers' | 'request_body'>;

/** Replaces secrets in records. */
const redacted = '[redacted]';

const hasRedacted = ({ path, request_headers: headers, request_body: body }: Sent) =>
  [path, body ?? '', ...Object.values(headers).map(String)].some((text) => text.includes(redacted));

/** The call as a curl command, with placeholders for secrets. */
function curlOf({ method, path, request_headers: headers, request_body: body }: Sent, protocol: string): string {
  const shownHeaders = Object.entries(headers).map(([name, value]) => [name, withPlaceholder(String(value), 'YOUR_TOKEN')]);
  return curlLine({
    method,
    url: `${protocol}//${headers.host ?? location.host}${withPlaceholder(path, 'YOUR_SECRET')}`,
    headers: Object.fromEntries(shownHeaders),
    body: withPlaceholder(body ?? '', 'YOUR_SECRET'),
  });
}

const withPlaceholder = (text: string, placeholder: string) => text.replaceAll(redacted, placeholder);
