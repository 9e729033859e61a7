import { Alert, Anchor, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { answer, api } from '../../lib/api.ts';
import { harUrl } from '../../lib/calls.ts';
import { linkTo } from '../../lib/filters.ts';
import type { PageProps } from '../../lib/page-props.ts';
import { duration } from '../../lib/time.ts';
import { curlOf, hasRedacted } from '../../parts/call/curl.ts';
import { Code, Copy, Headers } from '../../parts/code.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Frame } from '../../parts/frame.tsx';
import { IconDownload } from '../../parts/icons/tabler.ts';
import { Loading } from '../../parts/loading.tsx';
import { NeighbourButtons } from '../../parts/neighbour-buttons.tsx';
import { Failure } from '../../parts/problem.tsx';
import { ServerText } from '../../parts/server-text.tsx';
import { HttpStatus } from '../../parts/status.tsx';
import { StoryButton } from '../../parts/story-button.tsx';
import { Time } from '../../parts/time.tsx';
import { text } from '../../texts/index.ts';
import { CausedEvents } from './caused-events.tsx';
import { Limit } from './limit.tsx';
import { type CallDetail, errorMessageOf } from './message.ts';

/** One recorded call: its request, its response and its limit. */
export default function Call({ params: { id = '' } }: PageProps) {
  const call = useQuery({
    queryKey: ['call', id],
    queryFn: async () => (await answer(api.GET('/calls/{id}', { params: { path: { id } } }))).data,
    // A recorded call does not change.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data } = call;
  return (
    <Frame
      title={data ? `${data.method} ${data.path}` : text.call.title}
      beside={data && <HttpStatus status={data.status} />}
      from={{ href: '/calls', label: text.call.all }}
      actions={
        <>
          {data && <Copy text={curlOf(data, location.protocol)} label={text.call.copyCurl} />}
          {data && (
            <Button
              component="a"
              href={harUrl({ id })}
              download={`${id}.har`}
              size="xs"
              variant="default"
              leftSection={<IconDownload size={15} aria-hidden />}
            >
              {'HAR'}
            </Button>
          )}
          <StoryButton id={id} />
          <NeighbourButtons what="call" />
        </>
      }
    >
      {call.error ? <Failure error={call.error} retry={call.refetch} /> : data ? <CallDetails call={data} /> : <Loading />}
    </Frame>
  );
}

function CallDetails({ call }: { call: CallDetail }) {
  return (
    <Stack>
      {call.error_code !== null && <Refusal call={call} />}
      <Facts
        of={[
          [text.call.facts.time, <Time key="at" at={call.at} />],
          [text.call.facts.duration, duration(call.duration_ms)],
          [text.call.facts.api, call.api],
          [text.call.facts.operation, call.operation ?? text.call.noOperation],
          [text.call.facts.caller, <Caller key="caller" caller={call.caller} />],
          [text.call.facts.address, <Linked key="ip" filter="ip" value={call.ip} />],
          [text.call.facts.id, <Id key="id" id={call.id} />],
        ]}
      />
      <Limit of={call.limit_state} caller={call.caller} refused={call.status === 429} />
      <CausedEvents id={call.id} />
      <SimilarCalls call={call} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <Stack gap="sm" component="section" aria-label={text.call.request.title}>
          <Headers title={text.call.request.headers} of={call.request_headers} />
          <Code key={`${call.id} request`} title={text.call.request.body} text={call.request_body ?? ''} />
        </Stack>
        <Stack gap="sm" component="section" aria-label={text.call.response.title}>
          <Headers title={text.call.response.headers} of={call.response_headers} />
          <Code key={`${call.id} response`} title={text.call.response.body} text={call.response_body ?? ''} />
        </Stack>
      </SimpleGrid>
      {hasRedacted(call) && (
        <Text size="xs" c="dimmed">
          {text.call.redacted}
        </Text>
      )}
    </Stack>
  );
}

function Refusal({ call }: { call: CallDetail }) {
  const message = errorMessageOf(call.response_body);
  return (
    <Alert color={call.status >= 500 ? 'red' : 'yellow'} title={call.error_code}>
      <Text size="sm" className="break-anywhere">
        {message === undefined ? text.call.noMessage : <ServerText>{message}</ServerText>}
      </Text>
      <Anchor component={Link} size="sm" href={linkTo('/calls', { error_code: call.error_code ?? undefined })}>
        {text.call.sameError}
      </Anchor>
    </Alert>
  );
}

function Caller({ caller }: { caller: string | null }) {
  if (caller === null) return text.call.noCaller;
  return <Linked filter="caller" value={caller} />;
}

function Linked({ filter, value }: { filter: string; value: string }) {
  return (
    <Anchor component={Link} size="sm" href={linkTo('/calls', { [filter]: value })}>
      {value}
    </Anchor>
  );
}

function Id({ id }: { id: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      <span className="mono">{id}</span>
      <Copy text={id} />
    </Group>
  );
}

const aroundMs = 30_000;

function SimilarCalls({ call }: { call: CallDetail }) {
  const atMs = Date.parse(call.at);
  const around = {
    from: new Date(atMs - aroundMs).toISOString(),
    to: new Date(atMs + aroundMs).toISOString(),
  };
  const links: [string, string][] = [[text.call.similar.around, linkTo('/calls', around)]];
  if (call.operation !== null) links.unshift([text.call.similar.operation, linkTo('/calls', { operation: call.operation })]);
  if (call.caller !== null) links.unshift([text.call.similar.caller, linkTo('/calls', { caller: call.caller })]);
  return (
    <Group gap="md" component="nav" aria-label={text.call.similar.title}>
      {links.map(([label, href]) => (
        <Anchor key={label} component={Link} href={href} size="sm">
          {label}
        </Anchor>
      ))}
    </Group>
  );
}
