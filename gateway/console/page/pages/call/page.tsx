import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api, dataOf } from '../../lib/api.ts';
import { type CallDetail, harUrl } from '../../lib/calls.ts';
import { linkTo } from '../../lib/filters.ts';
import type { PageProps } from '../../lib/page-props.ts';
import { duration } from '../../lib/time.ts';
import { CallPage } from '../../parts/call/page.tsx';
import { Hint } from '../../parts/hint.tsx';
import { IconDownload } from '../../parts/icons/tabler.ts';
import { PageLink } from '../../parts/page-link.tsx';
import { ServerText } from '../../parts/server-text.tsx';
import { Status } from '../../parts/status.tsx';
import { colourOfUse } from '../../parts/use-colour.ts';
import { text } from '../../texts/index.ts';

const read = (id: string) => dataOf(api.GET('/calls/{id}', { params: { path: { id } } }));

/** One recorded call, with its caller, its limit and the events that it caused. */
export default function Call({ params: { id = '' } }: PageProps) {
  return (
    <CallPage
      id={id}
      read={read}
      actions={(call) =>
        call && (
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
        )
      }
      refusal={(call) => call.error_code !== null && <Refusal call={call} />}
      facts={(call) => [
        [text.call.facts.api, call.api],
        [text.call.facts.operation, call.operation ?? text.call.noOperation],
        [text.call.facts.caller, <Caller key="caller" caller={call.caller} />],
        [text.call.facts.address, <Linked key="ip" filter="ip" value={call.ip} />],
      ]}
      about={(call) => (
        <>
          <Limit of={call.limit_state} caller={call.caller} refused={call.status === 429} />
          <CausedEvents id={id} />
          <SimilarCalls call={call} />
        </>
      )}
    />
  );
}

function Refusal({ call }: { call: CallDetail }) {
  const message = errorMessageOf(call.response_body);
  return (
    <Alert color={call.status >= 500 ? 'red' : 'yellow'} title={call.error_code}>
      <Text size="sm" className="break-anywhere">
        {message === undefined ? text.call.noMessage : <ServerText>{message}</ServerText>}
      </Text>
      <PageLink href={linkTo('/calls', { error_code: call.error_code ?? undefined })}>{text.call.sameError}</PageLink>
    </Alert>
  );
}

function Caller({ caller }: { caller: string | null }) {
  if (caller === null) return text.call.noCaller;
  return <Linked filter="caller" value={caller} />;
}

const Linked = ({ filter, value }: { filter: string; value: string }) => (
  <PageLink href={linkTo('/calls', { [filter]: value })}>{value}</PageLink>
);

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
        <PageLink key={label} href={href}>
          {label}
        </PageLink>
      ))}
    </Group>
  );
}

/** The message of an error response: `error.message` of the point of sale and the manage API, `message` of cohesion. */
function errorMessageOf(body: string | null): string | undefined {
  try {
    const reply = JSON.parse(body ?? '') as { message?: unknown; error?: { message?: unknown } };
    const message = reply.error?.message ?? reply.message;
    return typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}

/** The events that a call caused, with how their deliveries went. Nothing if there are none. */
function CausedEvents({ id }: { id: string }) {
  const read = useQuery({
    queryKey: ['events', 'of call', id],
    queryFn: () => dataOf(api.GET('/events', { params: { query: { caused_by: id, limit: 100 } } })),
  });
  const events = read.data ?? [];
  if (events.length === 0) return null;
  return (
    <Group gap="md" component="section" aria-label={text.call.caused.title}>
      {events.toReversed().map((event) => (
        <CausedEvent key={event.id} event={event} />
      ))}
    </Group>
  );
}

function CausedEvent({ event: { id, type } }: { event: { id: string; type: string } }) {
  const read = useQuery({
    queryKey: ['event', id],
    queryFn: () => dataOf(api.GET('/events/{id}', { params: { path: { id } } })),
  });
  return (
    <Group gap="xs">
      <Text size="sm">{text.call.caused.event}</Text>
      <PageLink href={`/events/${encodeURIComponent(id)}`}>{type}</PageLink>
      {read.data?.deliveries.map((delivery) => (
        <Link key={delivery.id} href={`/deliveries/${encodeURIComponent(delivery.id)}`}>
          <Status of={delivery.status} />
        </Link>
      ))}
    </Group>
  );
}

/** The limit that was nearest to being exceeded, and how much of it was left after the call. */
function Limit({ of: state, caller, refused }: { of: CallDetail['limit_state']; caller: string | null; refused: boolean }) {
  if (state === null) return <Hint>{text.call.limit.none}</Hint>;
  const { limit, remaining, resetSeconds } = state;
  const used = limit === 0 ? 1 : (limit - remaining) / limit;
  const name = text.limitUse.names[state.name] ?? state.name;
  return (
    <Stack gap={4} maw={600}>
      <Group justify="space-between" gap="xs">
        <Text size="sm">{refused ? text.call.limit.refusedBy(name) : text.call.limit.nearest(name)}</Text>
        <Text size="sm">{text.call.limit.left(remaining, limit, duration(resetSeconds * 1000))}</Text>
      </Group>
      <Progress value={used * 100} color={colourOfUse(used)} aria-label={text.call.limit.leftOf(name, remaining, limit)} />
      {caller !== null && /^(account|token):/.test(caller) && (
        <PageLink href={linkTo('/limits', { caller })}>{text.call.limit.ofCaller(caller)}</PageLink>
      )}
    </Stack>
  );
}
