import { PageLink } from '../page-link.tsx';
import './delivery.css';
import { Grid, Paper, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { api, dataOf } from '../../lib/api.ts';
import { useFilters } from '../../lib/filters.ts';
import { type Reason, reasonOf } from '../../lib/reasons.ts';
import { text } from '../../texts/shared.ts';
import { Code } from '../code.tsx';
import { Frame } from '../frame.tsx';
import { Loading } from '../loading.tsx';
import { Failure } from '../problem.tsx';
import { Status } from '../status.tsx';
import { Time } from '../time.tsx';
import { AttemptDetails } from './attempt-details.tsx';
import { Compare } from './compare.tsx';
import { type Delivery, type ReadDelivery, selectedAttempt } from './delivery.ts';
import { Timeline } from './timeline.tsx';

const from = { href: '/deliveries', label: text.delivery.deliveries };
const refetchEveryMs = 2000;

export interface SummaryProps {
  delivery: ReadDelivery;
  reason: Reason | undefined;
}

interface DeliveryPageProps {
  id: string;
  /** Shown beside its status. */
  beside?(delivery: ReadDelivery): ReactNode;
  actions(delivery: ReadDelivery): ReactNode;
  summary(props: SummaryProps): ReactNode;
}

/** One delivery: its status and reason, its timeline, and the details of each attempt. */
export function DeliveryPage({ id, beside, actions, summary }: DeliveryPageProps) {
  const read = useQuery({
    queryKey: ['delivery', id],
    queryFn: () => dataOf(api.GET('/deliveries/{id}', { params: { path: { id } } })),
    // Shows the next attempt as it is made.
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? refetchEveryMs : false),
  });
  const delivery = read.data;
  if (!delivery)
    return (
      <Frame title={text.delivery.title} from={from}>
        {read.error ? <Failure error={read.error} retry={read.refetch} /> : <Loading lines={10} />}
      </Frame>
    );
  const reason = reasonOf(delivery.reason, delivery.response_status);
  return (
    <Frame
      title={delivery.event_type}
      from={from}
      beside={
        <>
          <Status of={delivery.status} />
          {beside?.(delivery)}
        </>
      }
      actions={actions(delivery)}
    >
      {read.error && <Failure error={read.error} retry={read.refetch} />}
      <Stack gap="md" key={delivery.id}>
        {summary({ delivery, reason })}
        <InOrder delivery={delivery} />
        <Attempts delivery={delivery} reason={reason} />
      </Stack>
    </Frame>
  );
}

function Attempts({ delivery, reason }: SummaryProps) {
  const [{ attempt: wanted, compare }] = useFilters();
  const details = useScrollTo(wanted);
  const selected = selectedAttempt(delivery, wanted);
  return (
    <>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 5 }} className="beside-details">
          <Timeline delivery={delivery} selected={selected} reason={reason} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 7 }} ref={details} className="scrolled-to">
          {selected ? <AttemptDetails delivery={delivery} attempt={selected} /> : <NoAttempts delivery={delivery} />}
        </Grid.Col>
      </Grid>
      <Compare delivery={delivery} attempt={selected} isOpen={compare === '1'} />
    </>
  );
}

/** The request body, before the first attempt or after the attempts were deleted. */
function NoAttempts({ delivery: { attempts, event, status } }: { delivery: Delivery }) {
  const says = text.delivery.noAttempts;
  const none = status === 'pending' ? says.yet : says.made;
  return (
    <Paper withBorder p="md">
      <Text size="sm" c="dimmed" mb="sm">
        {attempts === 0 ? none : says.kept}
      </Text>
      {event && <Code title={text.delivery.requestBody} text={event.body} />}
    </Paper>
  );
}

/** Scrolls to the attempt's details if they are below the timeline. */
function useScrollTo(wanted: string | undefined) {
  const target = useRef<HTMLDivElement>(null);
  const below = useMediaQuery('(max-width: 75em)');
  useEffect(() => {
    if (wanted !== undefined && below) target.current?.scrollIntoView({ block: 'start' });
  }, [wanted, below]);
  return target;
}

const says = text.delivery.inOrder;

/** What a delivery of an ordered endpoint waits for or holds back, and who skipped it. */
function InOrder({ delivery: { waits_behind: first, holds_back: held, skipped } }: { delivery: Delivery }) {
  if (!first && !held && !skipped) return null;
  return (
    <Text size="sm" role="note">
      {first &&
        says.waits(
          <PageLink href={`/deliveries/${encodeURIComponent(first.id)}`} className="mono break-anywhere">
            {first.id}
          </PageLink>,
          first.blocking,
        )}
      {held && says.holdsBack(held.waiting, held.more)}
      {skipped && says.skipped(whoIs(skipped.by), <Time at={skipped.at} />)}
    </Text>
  );
}

function whoIs(by: string): string {
  const [kind, name] = by.split(':');
  return kind === 'operator' ? (name ?? says.operator) : says.owner;
}
