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
import { type Delivery, elapsedMs } from './delivery.ts';

/** A delivery's endpoint, status, reason and next attempt. */
export function Summary({ delivery, reason }: { delivery: Delivery; reason: Reason | undefined }) {
  const { id, event_id, endpoint_id, url, attempts, status, response_status, created_at, updated_at } = delivery;
  const outcome =
    status === 'pending'
      ? ([
          'Next attempt',
          delivery.waits_for === 'turn' ? 'waiting in turn' : <Countdown key="next" at={delivery.next_attempt_at} />,
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
            ['Last response', <HttpStatus key="answer" status={response_status} />],
            outcome,
            ['Created', <Time key="created" at={created_at} />],
          ]}
        />
        <ReasonAlert delivery={delivery} reason={reason} />
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
              all deliveries
            </Anchor>
          </Group>
          {delivery.event?.caused_by?.startsWith('call_') && (
            <Group gap={6}>
              Call
              <Anchor
                component={Link}
                size="xs"
                href={`/calls/${encodeURIComponent(delivery.event.caused_by)}`}
                className="mono break-anywhere"
              >
                {delivery.event.caused_by}
              </Anchor>
            </Group>
          )}
        </Group>
      </Stack>
    </Paper>
  );
}

const colours: Readonly<Record<Reason['kind'], MantineColor>> = { error: 'red', skipped: 'gray', operator: 'blue' };

function ReasonAlert({ delivery, reason }: { delivery: Delivery; reason: Reason | undefined }) {
  const { status, attempts, event, created_at, updated_at } = delivery;
  if (delivery.reason === null) {
    if (status !== 'delivered') return null;
    const afterMs = elapsedMs(event?.created_at ?? created_at, updated_at);
    return (
      <Text size="sm">
        Delivered {attempts === 1 ? 'at the first attempt' : `at attempt ${attempts}`}, {duration(afterMs)} after the event.
      </Text>
    );
  }
  const advice = reason?.advice ?? delivery.advice;
  return (
    <Alert variant="light" color={reason ? colours[reason.kind] : 'red'} title={reason?.title ?? words(delivery.reason)} p="sm">
      <Text size="sm">
        {reason?.meaning} {advice && advice !== reason?.meaning && <b>{advice}</b>}
      </Text>
    </Alert>
  );
}
