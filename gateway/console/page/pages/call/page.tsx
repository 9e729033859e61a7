import { Alert, Anchor, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { answer, api } from '../../lib/api.ts';
import { harUrl } from '../../lib/calls.ts';
import { linkTo } from '../../lib/filters.ts';
import type { PageProps } from '../../lib/page-props.ts';
import { duration } from '../../lib/time.ts';
import { Code, Copy, Headers } from '../../parts/code.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Frame } from '../../parts/frame.tsx';
import { Loading } from '../../parts/loading.tsx';
import { NeighbourButtons } from '../../parts/neighbour-buttons.tsx';
import { Failure } from '../../parts/problem.tsx';
import { HttpStatus } from '../../parts/status.tsx';
import { StoryButton } from '../../parts/story-button.tsx';
import { Time } from '../../parts/time.tsx';
import { CausedEvents } from './caused-events.tsx';
import { curlOf, hasRedacted } from './curl.ts';
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
      title={data ? `${data.method} ${data.path}` : 'Call'}
      beside={data && <HttpStatus status={data.status} />}
      from={{ href: '/calls', label: 'Calls' }}
      actions={
        <>
          {data && <Copy text={curlOf(data, location.protocol)} label="Copy as curl" />}
          {data && (
            <Button
              component="a"
              href={harUrl({ id })}
              download={`${id}.har`}
              size="xs"
              variant="default"
              leftSection={<IconDownload size={15} aria-hidden />}
            >
              HAR
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
          ['Time', <Time key="at" at={call.at} />],
          ['Duration', duration(call.duration_ms)],
          ['API', call.api],
          ['Operation', call.operation ?? 'none'],
          ['Caller', <Caller key="caller" caller={call.caller} />],
          ['IP address', <Linked key="ip" filter="ip" value={call.ip} />],
          ['Id', <Id key="id" id={call.id} />],
        ]}
      />
      <Limit of={call.limit_state} caller={call.caller} refused={call.status === 429} />
      <CausedEvents id={call.id} />
      <SimilarCalls call={call} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <Stack gap="sm" component="section" aria-label="Request">
          <Headers title="Request headers" of={call.request_headers} />
          <Code key={`${call.id} request`} title="Request body" text={call.request_body ?? ''} />
        </Stack>
        <Stack gap="sm" component="section" aria-label="Response">
          <Headers title="Response headers" of={call.response_headers} />
          <Code key={`${call.id} response`} title="Response body" text={call.response_body ?? ''} />
        </Stack>
      </SimpleGrid>
      {hasRedacted(call) && (
        <Text size="xs" c="dimmed">
          Secrets are not recorded. In the curl command, replace YOUR_TOKEN and YOUR_SECRET.
        </Text>
      )}
    </Stack>
  );
}

function Refusal({ call }: { call: CallDetail }) {
  const message = errorMessageOf(call.response_body);
  return (
    <Alert color={call.status >= 500 ? 'red' : 'orange'} title={call.error_code}>
      <Text size="sm" className="break-anywhere">
        {message ?? 'The response has no message.'}
      </Text>
      <Anchor component={Link} size="sm" href={linkTo('/calls', { error_code: call.error_code ?? undefined })}>
        All calls with this error
      </Anchor>
    </Alert>
  );
}

function Caller({ caller }: { caller: string | null }) {
  if (caller === null) return 'not identified';
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
  const links: [string, string][] = [['Calls within 30 s', linkTo('/calls', around)]];
  if (call.operation !== null) links.unshift(['Same operation', linkTo('/calls', { operation: call.operation })]);
  if (call.caller !== null) links.unshift(['Same caller', linkTo('/calls', { caller: call.caller })]);
  return (
    <Group gap="md" component="nav" aria-label="Similar calls">
      {links.map(([label, href]) => (
        <Anchor key={label} component={Link} href={href} size="sm">
          {label}
        </Anchor>
      ))}
    </Group>
  );
}
