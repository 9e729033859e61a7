import './delivery.css';
import { Grid, Paper, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { answer, api } from '../../lib/api.ts';
import { useFilters } from '../../lib/filters.ts';
import { words } from '../../lib/format.ts';
import type { PageProps } from '../../lib/page-props.ts';
import { useReasons } from '../../lib/reasons.ts';
import { Code } from '../../parts/code.tsx';
import { Frame } from '../../parts/frame.tsx';
import { Waiting } from '../../parts/loading.tsx';
import { Between } from '../../parts/neighbour-buttons.tsx';
import { Failure } from '../../parts/problem.tsx';
import { Status } from '../../parts/status.tsx';
import { Evidence } from './attempt-details.tsx';
import { Compare } from './compare.tsx';
import { openedAttempt, type Story } from './delivery.ts';
import { useEndpointSays } from './endpoint-block.ts';
import { Resend } from './resend.tsx';
import { Standing } from './summary.tsx';
import { Timeline } from './timeline.tsx';

const from = { href: '/deliveries', label: 'Deliveries' };
const refetchEveryMs = 2000;

/** One delivery: where it stands and why, its life, and the evidence of each attempt. */
export default function Delivery({ params: { id = '' } }: PageProps) {
  const delivery = useQuery({
    queryKey: ['delivery', id],
    queryFn: async () => (await answer(api.GET('/deliveries/{id}', { params: { path: { id } } }))).data,
    // While it is owed an attempt, one sees it come in.
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? refetchEveryMs : false),
  });
  const story = delivery.data;
  if (!story)
    return (
      <Frame title="Delivery" from={from}>
        {delivery.error ? <Failure error={delivery.error} retry={delivery.refetch} /> : <Waiting lines={10} />}
      </Frame>
    );
  return (
    <Frame
      title={story.event_type}
      from={from}
      beside={<Status of={story.status} size="lg" />}
      actions={
        <>
          <Between what="delivery" />
          <Resend key={story.id} story={story} />
        </>
      }
    >
      {delivery.error && <Failure error={delivery.error} retry={delivery.refetch} />}
      <Told key={story.id} story={story} />
    </Frame>
  );
}

function Told({ story }: { story: Story }) {
  const [{ attempt: wanted }] = useFilters();
  const reasons = useReasons();
  const evidence = useScrolledTo(wanted);
  const reason = reasons.find((known) => known.reason === story.reason);
  const titleOf = (code: string) => reasons.find((known) => known.reason === code)?.title ?? words(code);
  const opened = openedAttempt(story, wanted);
  const endpointSays = useEndpointSays(story);
  return (
    <Stack gap="md">
      <Standing story={story} reason={reason} />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 5 }} className="beside-evidence">
          <Timeline story={story} opened={opened} reason={reason} endpointSays={endpointSays} titleOf={titleOf} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 7 }} ref={evidence} className="scrolled-to">
          {opened ? <Evidence story={story} attempt={opened} titleOf={titleOf} /> : <NoEvidence story={story} />}
        </Grid.Col>
      </Grid>
      <Compare story={story} attempt={opened} />
    </Stack>
  );
}

/** What would be sent is there before anything is. */
function NoEvidence({ story: { attempts, event, status } }: { story: Story }) {
  const none = status === 'pending' ? 'No attempt was made yet.' : 'No attempt was made.';
  return (
    <Paper withBorder p="md">
      <Text size="sm" c="dimmed" mb="sm">
        {attempts === 0 ? none : 'The evidence of its attempts is not kept any more.'}
      </Text>
      {event && <Code title="Request body" text={event.body} />}
    </Paper>
  );
}

/** Where the evidence stands below the timeline, choosing an attempt goes there. */
function useScrolledTo(wanted: string | undefined) {
  const place = useRef<HTMLDivElement>(null);
  const below = useMediaQuery('(max-width: 75em)');
  useEffect(() => {
    if (wanted !== undefined && below) place.current?.scrollIntoView({ block: 'start' });
  }, [wanted, below]);
  return place;
}
