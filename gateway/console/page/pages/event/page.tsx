import { Alert, Badge, Grid, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { answer, api, dataOf, type paths } from '../../lib/api.ts';
import { linkTo } from '../../lib/filters.ts';
import type { PageProps } from '../../lib/page-props.ts';
import { Code, Copy } from '../../parts/code.tsx';
import { OwnedEndpoint } from '../../parts/endpoint/name.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Frame } from '../../parts/frame.tsx';
import { List, type ListColumn } from '../../parts/list.tsx';
import { Loading } from '../../parts/loading.tsx';
import { NeighbourButtons } from '../../parts/neighbour-buttons.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { Failure } from '../../parts/problem.tsx';
import { HttpStatus, Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { text } from '../../texts/index.ts';
import { type EventDetail, isUnfinished } from './fan-out.ts';
import { FanOutBar } from './fan-out-bar.tsx';
import { Unmatched } from './unmatched.tsx';

type Delivery = paths['/deliveries']['get']['responses'][200]['content']['application/json']['data'][number];

const from = { href: '/events', label: text.event.all };
const idOf = ({ id }: Delivery) => id;
const hrefOf = ({ id }: Delivery) => `/deliveries/${id}`;

/** One event: its payload and its delivery to each endpoint. */
export default function EventPage({ params: { id = '' } }: PageProps) {
  const read = useQuery({
    queryKey: ['event', id],
    queryFn: () => dataOf(api.GET('/events/{id}', { params: { path: { id } } })),
    refetchInterval: ({ state }) => (state.data && isUnfinished(state.data) ? 2000 : false),
  });
  const event = read.data;
  if (!event)
    return (
      <Frame title={text.event.title} from={from}>
        {read.error ? <Failure error={read.error} retry={read.refetch} /> : <Loading lines={10} />}
      </Frame>
    );
  return (
    <Frame
      title={event.type}
      from={from}
      beside={<Badge color="gray">{event.service}</Badge>}
      actions={<NeighbourButtons what="event" />}
    >
      {read.error && <Failure error={read.error} retry={read.refetch} />}
      <EventFacts event={event} />
      {event.fanned_out_at === null ? (
        <Alert title={text.event.creating.title}>{text.event.creating.next}</Alert>
      ) : event.matched ? (
        <FanOutBar event={event} />
      ) : (
        <Unmatched event={event} />
      )}
      <Grid gap="md">
        {event.matched !== 0 && (
          <Grid.Col span={{ base: 12, lg: 7 }}>
            <Deliveries event={event} />
          </Grid.Col>
        )}
        <Grid.Col span={{ base: 12, lg: event.matched === 0 ? 12 : 5 }}>
          <Code title={text.event.payload} text={event.body} />
        </Grid.Col>
      </Grid>
    </Frame>
  );
}

function EventFacts({ event }: { event: EventDetail }) {
  const { id, type, subject, caused_by, created_at, fanned_out_at, trace_id } = event;
  return (
    <Stack gap="xs">
      <Facts
        of={[
          [text.event.facts.time, <Time key="at" at={created_at} />],
          [text.event.facts.fannedOut, <Time key="out" at={fanned_out_at} none={text.event.notYet} />],
          [text.event.facts.cause, <Cause key="cause" of={caused_by} />],
          ...(trace_id === null
            ? []
            : [
                [
                  text.event.facts.trace,
                  <span key="trace" className="mono break-anywhere">
                    {trace_id}
                  </span>,
                ] as const,
              ]),
          [
            text.event.facts.subject,
            subject === null ? (
              text.event.noSubject
            ) : (
              <PageLink key="subject" href={linkTo('/events', { subject })}>
                {subject}
              </PageLink>
            ),
          ],
          [
            text.event.facts.type,
            <PageLink key="type" href={linkTo('/events', { view: 'catalogue', type })}>
              {text.event.inCatalogue(type)}
            </PageLink>,
          ],
        ]}
      />
      <Group gap={4} fz="xs" c="dimmed">
        {text.event.sentAs} <span className="mono break-anywhere">{id}</span>
        <Copy text={id} />
      </Group>
    </Stack>
  );
}

const columns: readonly ListColumn<Delivery>[] = [
  { header: text.event.deliveries.endpoint, cell: (delivery) => <OwnedEndpoint of={delivery} /> },
  { header: text.event.deliveries.state, kind: 'status', cell: ({ status }) => <Status of={status} /> },
  {
    header: text.event.deliveries.response,
    kind: 'number',
    cell: ({ response_status }) => <HttpStatus status={response_status} />,
  },
  { header: text.event.deliveries.attempts, kind: 'number', cell: ({ attempts }) => attempts },
  { header: text.event.deliveries.changed, kind: 'time', cell: ({ updated_at }) => <Time at={updated_at} /> },
];

function Deliveries({ event }: { event: EventDetail }) {
  const { id } = event;
  const load = useCallback(
    async (cursor: string | undefined) =>
      answer(
        api.GET('/deliveries', { params: { query: { event_id: id, limit: 100, ...(cursor !== undefined && { cursor }) } } }),
      ),
    [id],
  );
  return (
    <List
      label={text.event.deliveries.list}
      queryKey={['deliveries', 'of-event', id]}
      load={load}
      idOf={idOf}
      hrefOf={hrefOf}
      columns={columns}
      live={isUnfinished(event)}
      empty={null}
    />
  );
}

/** What made the change that emitted an event: a link to the call, or words. */
function Cause({ of: cause }: { of: string | null }) {
  if (cause === null) return text.event.noCause;
  if (!cause.startsWith('call_')) return text.parts.causes[cause] ?? cause;
  return (
    <PageLink className="mono break-anywhere" href={`/calls/${encodeURIComponent(cause)}`}>
      {cause}
    </PageLink>
  );
}
