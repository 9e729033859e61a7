import { Alert, Anchor, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { PageProps } from '../../page/lib/page-props.ts';
import { duration } from '../../page/lib/time.ts';
import { curlOf, hasRedacted } from '../../page/parts/call/curl.ts';
import { Code, Copy, Headers } from '../../page/parts/code.tsx';
import { Facts } from '../../page/parts/facts.tsx';
import { Frame } from '../../page/parts/frame.tsx';
import { Loading } from '../../page/parts/loading.tsx';
import { NeighbourButtons } from '../../page/parts/neighbour-buttons.tsx';
import { Failure } from '../../page/parts/problem.tsx';
import { ServerText } from '../../page/parts/server-text.tsx';
import { HttpStatus } from '../../page/parts/status.tsx';
import { Time } from '../../page/parts/time.tsx';
import { answer, type paths, profile } from '../lib/api.ts';
import { text } from '../texts/index.ts';

type Call = paths['/calls/{id}']['get']['responses'][200]['content']['application/json']['data'];

const texts = text.calls;

/** One recorded call: its request, its response and, if it was refused, why. */
export default function CallPage({ params: { id = '' } }: PageProps) {
  const read = useQuery({
    queryKey: ['call', id],
    queryFn: async () => (await answer(profile.GET('/calls/{id}', { params: { path: { id } } }))).data,
    // A recorded call does not change.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const call = read.data;
  return (
    <Frame
      title={call ? `${call.method} ${call.path}` : texts.call}
      beside={call && <HttpStatus status={call.status} />}
      from={{ href: '/calls', label: texts.all }}
      actions={
        <>
          {call && <Copy text={curlOf(call, location.protocol)} label={texts.copyCurl} />}
          <NeighbourButtons what="call" />
        </>
      }
    >
      {read.error ? <Failure error={read.error} retry={read.refetch} /> : call ? <CallDetails call={call} /> : <Loading />}
    </Frame>
  );
}

function CallDetails({ call }: { call: Call }) {
  const { limit_state: limit } = call;
  // An account calls as itself. A user has several tokens.
  const [, token] = /^token:(.+)$/.exec(call.caller ?? '') ?? [];
  return (
    <Stack>
      {call.refusal && <Refusal call={call} refusal={call.refusal} />}
      <Facts
        of={[
          [texts.facts.time, <Time key="at" at={call.at} />],
          [texts.facts.duration, duration(call.duration_ms)],
          [texts.facts.operation, call.operation ?? texts.noOperation],
          ...(token === undefined ? [] : [[texts.facts.token, token] as const]),
          [texts.facts.address, call.ip],
          [
            texts.facts.id,
            <span key="id" className="mono break-anywhere">
              {call.id} <Copy text={call.id} />
            </span>,
          ],
        ]}
      />
      {limit && <Text size="sm">{texts.limit(limit.name, limit.remaining, limit.limit)}</Text>}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <Stack gap="sm" component="section" aria-label={texts.request.title}>
          <Headers title={texts.request.headers} of={call.request_headers} />
          <Code key={`${call.id} request`} title={texts.request.body} text={call.request_body ?? ''} />
        </Stack>
        <Stack gap="sm" component="section" aria-label={texts.response.title}>
          <Headers title={texts.response.headers} of={call.response_headers} />
          <Code key={`${call.id} response`} title={texts.response.body} text={call.response_body ?? ''} />
        </Stack>
      </SimpleGrid>
      {hasRedacted(call) && (
        <Text size="xs" c="dimmed">
          {texts.redacted}
        </Text>
      )}
    </Stack>
  );
}

/** Why the call was refused: the reply's words, those of the document, and a request that works. */
function Refusal({
  call,
  refusal: { code, message, document, gap, example },
}: {
  call: Call;
  refusal: NonNullable<Call['refusal']>;
}) {
  return (
    <Stack gap="sm">
      <Alert color={call.status >= 500 ? 'red' : 'yellow'} variant="light" title={code ?? call.status}>
        <Stack gap="xs">
          <Text size="sm" className="break-anywhere">
            {message === null ? texts.refusal.noMessage : <ServerText>{message}</ServerText>}
          </Text>
          {document && (
            <Text size="sm" className="break-anywhere">
              {texts.refusal.section(document.section)} <ServerText>{document.says}</ServerText>
            </Text>
          )}
          {gap && (
            <Text size="sm">
              <Anchor href={`/docs/gaps#${gap.id}`} target="_blank" inherit underline="always">
                {texts.refusal.gap}
              </Anchor>{' '}
              <ServerText>{gap.choice}</ServerText>
            </Text>
          )}
        </Stack>
      </Alert>
      {example && (
        <Stack gap={4}>
          <Code title={texts.refusal.works} text={example.curl} />
          <Text size="xs" c="dimmed">
            {texts.refusal.replace}
          </Text>
        </Stack>
      )}
    </Stack>
  );
}
