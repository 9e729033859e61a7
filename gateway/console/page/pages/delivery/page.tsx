import '../../parts/delivery/delivery.css';
import { Grid, Paper, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { answer, api } from '../../lib/api.ts';
import { useFilters } from '../../lib/filters.ts';
import type { PageProps } from '../../lib/page-props.ts';
import { reasonOf } from '../../lib/reasons.ts';
import { Code } from '../../parts/code.tsx';
import { AttemptDetails } from '../../parts/delivery/attempt-details.tsx';
import { Compare } from '../../parts/delivery/compare.tsx';
import { type Delivery, type ReadDelivery, selectedAttempt } from '../../parts/delivery/delivery.ts';
import { Resend } from '../../parts/delivery/resend.tsx';
import { Timeline } from '../../parts/delivery/timeline.tsx';
import { Frame } from '../../parts/frame.tsx';
import { Loading } from '../../parts/loading.tsx';
import { NeighbourButtons } from '../../parts/neighbour-buttons.tsx';
import { Failure } from '../../parts/problem.tsx';
import { Status } from '../../parts/status.tsx';
import { StoryButton } from '../../parts/story-button.tsx';
import { text } from '../../texts/index.ts';
import { Summary } from './summary.tsx';

const from = { href: '/deliveries', label: text.delivery.deliveries };
const refetchEveryMs = 2000;

/** One delivery: its status and reason, its timeline, and the details of each attempt. */
export default function DeliveryPage({ params: { id = '' } }: PageProps) {
  const read = useQuery({
    queryKey: ['delivery', id],
    queryFn: async () => (await answer(api.GET('/deliveries/{id}', { params: { path: { id } } }))).data,
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
  return (
    <Frame
      title={delivery.event_type}
      from={from}
      beside={<Status of={delivery.status} />}
      actions={
        <>
          <StoryButton id={delivery.id} />
          <NeighbourButtons what="delivery" />
          <Resend key={delivery.id} delivery={delivery} />
        </>
      }
    >
      {read.error && <Failure error={read.error} retry={read.refetch} />}
      <DeliveryBody key={delivery.id} delivery={delivery} />
    </Frame>
  );
}

function DeliveryBody({ delivery }: { delivery: ReadDelivery }) {
  const [{ attempt: wanted }] = useFilters();
  const details = useScrollTo(wanted);
  const reason = reasonOf(delivery.reason, delivery.response_status);
  const selected = selectedAttempt(delivery, wanted);
  return (
    <Stack gap="md">
      <Summary delivery={delivery} reason={reason} />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 5 }} className="beside-details">
          <Timeline delivery={delivery} selected={selected} reason={reason} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 7 }} ref={details} className="scrolled-to">
          {selected ? <AttemptDetails delivery={delivery} attempt={selected} /> : <NoAttempts delivery={delivery} />}
        </Grid.Col>
      </Grid>
      <Compare delivery={delivery} attempt={selected} />
    </Stack>
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
