import { Alert, Anchor, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { answer, api } from '../../lib/api.ts';
import { harAddress } from '../../lib/calls.ts';
import { linkTo } from '../../lib/filters.ts';
import type { PageProps } from '../../lib/page-props.ts';
import { duration } from '../../lib/time.ts';
import { Code, Copy, Headers } from '../../parts/code.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Frame } from '../../parts/frame.tsx';
import { Waiting } from '../../parts/loading.tsx';
import { Between } from '../../parts/neighbour-buttons.tsx';
import { Failure } from '../../parts/problem.tsx';
import { HttpStatus } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { curlOf, holdsRedacted } from './curl.ts';
import { Limit } from './limit.tsx';
import { type CallDetail, messageOf } from './message.ts';

/** One recorded call: what came in, what went out, and which limit counted it. */
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
              href={harAddress({ id })}
              download={`${id}.har`}
              size="xs"
              variant="default"
              leftSection={<IconDownload size={15} aria-hidden />}
            >
              HAR
            </Button>
          )}
          <Between what="call" />
        </>
      }
    >
      {call.error ? <Failure error={call.error} retry={call.refetch} /> : data ? <Shown call={data} /> : <Waiting />}
    </Frame>
  );
}

function Shown({ call }: { call: CallDetail }) {
  return (
    <Stack>
      {call.error_code !== null && <Refused call={call} />}
      <Facts
        of={[
          ['Time', <Time key="at" at={call.at} />],
          ['Duration', duration(call.duration_ms)],
          ['API', call.api],
          ['Operation', call.operation ?? 'none has this path'],
          ['Caller', <Caller key="caller" caller={call.caller} />],
          ['From address', <Linked key="ip" filter="ip" value={call.ip} />],
          ['Id', <Id key="id" id={call.id} />],
        ]}
      />
      <Limit of={call.limit_state} caller={call.caller} refused={call.status === 429} />
      <Elsewhere call={call} />
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
      {holdsRedacted(call) && (
        <Text size="xs" c="dimmed">
          Secrets are kept in no record: the curl line has YOUR_TOKEN or YOUR_SECRET in their place, for you to fill in.
        </Text>
      )}
    </Stack>
  );
}

function Refused({ call }: { call: CallDetail }) {
  const message = messageOf(call.response_body);
  return (
    <Alert color={call.status >= 500 ? 'red' : 'orange'} title={call.error_code}>
      <Text size="sm" className="break-anywhere">
        {message ?? 'The reply says no more than this code.'}
      </Text>
      <Anchor component={Link} size="sm" href={linkTo('/calls', { error_code: call.error_code ?? undefined })}>
        All calls refused so
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

function Elsewhere({ call }: { call: CallDetail }) {
  const atMs = Date.parse(call.at);
  const around = {
    from: new Date(atMs - aroundMs).toISOString(),
    to: new Date(atMs + aroundMs).toISOString(),
  };
  const links: [string, string][] = [['Calls within 30 s of this one', linkTo('/calls', around)]];
  if (call.operation !== null) links.unshift(['Same operation', linkTo('/calls', { operation: call.operation })]);
  if (call.caller !== null) links.unshift(['Same caller', linkTo('/calls', { caller: call.caller })]);
  return (
    <Group gap="md" component="nav" aria-label="Calls like this one">
      {links.map(([label, href]) => (
        <Anchor key={label} component={Link} href={href} size="sm">
          {label}
        </Anchor>
      ))}
    </Group>
  );
}
