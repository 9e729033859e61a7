import { Alert, Anchor, Group, type MantineColor, Paper, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { linkTo } from '../../lib/filters.ts';
import { words } from '../../lib/format.ts';
import type { Reason } from '../../lib/reasons.ts';
import { duration } from '../../lib/time.ts';
import { Copy } from '../../parts/code.tsx';
import { Facts } from '../../parts/facts.tsx';
import { HttpStatus } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { Countdown } from './countdown.tsx';
import { type Story, waitedMs } from './delivery.ts';

/** Where a delivery stands, at a glance: what, to whom, how it is, and why. */
export function Standing({ story, reason }: { story: Story; reason: Reason | undefined }) {
  const { id, event_id, endpoint_id, url, attempts, status, response_status, created_at, updated_at } = story;
  const outcome =
    status === 'pending'
      ? ([
          'Next attempt',
          story.waits_for === 'turn' ? 'when it is its turn' : <Countdown key="next" at={story.next_attempt_at} />,
        ] as const)
      : ([status === 'delivered' ? 'Delivered' : 'Ended', <Time key="end" at={updated_at} />] as const);
  return (
    <Paper withBorder p="md">
      <Stack gap="md">
        <Text size="sm" className="break-anywhere">
          To{' '}
          <Anchor component={Link} size="sm" href={`/endpoints/${encodeURIComponent(endpoint_id)}`}>
            {url ?? `${endpoint_id} (deleted)`}
          </Anchor>
        </Text>
        <Facts
          of={[
            ['Attempts', String(attempts)],
            ['Last answer', <HttpStatus key="answer" status={response_status} />],
            outcome,
            ['Made', <Time key="made" at={created_at} />],
          ]}
        />
        <Why story={story} reason={reason} />
        <Group gap="md" c="dimmed" fz="xs">
          <Group gap={4}>
            Delivery <span className="mono break-anywhere">{id}</span>
            <Copy text={id} />
          </Group>
          <Group gap={6}>
            Event
            <Anchor component={Link} size="xs" href={`/events/${encodeURIComponent(event_id)}`} className="mono break-anywhere">
              {event_id}
            </Anchor>
            <Anchor component={Link} size="xs" href={linkTo('/deliveries', { event_id })}>
              all its deliveries
            </Anchor>
          </Group>
        </Group>
      </Stack>
    </Paper>
  );
}

const colours: Readonly<Record<Reason['kind'], MantineColor>> = { error: 'red', skipped: 'gray', operator: 'blue' };

function Why({ story, reason }: { story: Story; reason: Reason | undefined }) {
  const { status, attempts, event, created_at, updated_at } = story;
  if (story.reason === null) {
    if (status !== 'delivered') return null;
    const afterMs = waitedMs(event?.created_at ?? created_at, updated_at);
    return (
      <Text size="sm">
        The receiver took it {attempts === 1 ? 'at the first attempt' : `at attempt ${attempts}`}, {duration(afterMs)} after the
        event.
      </Text>
    );
  }
  const advice = reason?.advice ?? story.advice;
  return (
    <Alert variant="light" color={reason ? colours[reason.kind] : 'red'} title={reason?.title ?? words(story.reason)} p="sm">
      <Text size="sm">
        {reason?.meaning} {advice && advice !== reason?.meaning && <b>{advice}</b>}
      </Text>
    </Alert>
  );
}
