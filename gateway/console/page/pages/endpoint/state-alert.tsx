import { Alert, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type Endpoint, type EndpointState, stateOf } from '../../lib/endpoint-state.ts';
import { ChangeButton } from '../../parts/change-button.tsx';
import { RelativeTime, Time } from '../../parts/time.tsx';
import { useSetActive } from './actions.tsx';

interface StateAlertProps {
  endpoint: Endpoint;
  test(): void;
  retry(): void;
}

/** The meaning of each state that needs attention, and what to do. */
const advice: Partial<Record<EndpointState['word'], { title: string; next: string }>> = {
  held: {
    title: 'Deliveries to this endpoint are on hold',
    next: 'Nothing is lost. See why it fails, fix the receiver and retry now. One success ends the hold.',
  },
  probing: {
    title: 'One delivery is testing whether it works again',
    next: 'If it succeeds, the waiting deliveries are sent.',
  },
  failing: {
    title: 'The last attempts failed',
    next: 'Each delivery is retried on its schedule. See the errors below, fix the receiver and retry now.',
  },
  paused: {
    title: 'The endpoint is paused',
    next: 'Its deliveries are skipped. Enable it, then retry the skipped deliveries.',
  },
  disabled: {
    title: 'The endpoint is disabled',
    next: 'Its deliveries are skipped. Fix the receiver, enable the endpoint, send a test event, then retry the skipped deliveries.',
  },
};

export function StateAlert({ endpoint, test, retry }: StateAlertProps) {
  const state = stateOf(endpoint);
  const toggle = useSetActive(endpoint.id);
  const texts = advice[state.word];
  if (!texts) return null;
  const colour = state.tone === 'error' ? 'red' : state.tone === 'warning' ? 'yellow' : 'gray';
  return (
    <Alert color={colour} variant="light" icon={<IconAlertTriangle size={18} />} title={texts.title}>
      <Stack gap="xs">
        <Text size="sm">{reasons(endpoint, state)}</Text>
        <Text size="sm">{texts.next}</Text>
        <Group gap="xs">
          {endpoint.active && <ChangeButton onClick={test}>Send test event</ChangeButton>}
          {state.word === 'held' && (
            <ChangeButton loading={toggle.isPending} onClick={() => toggle.mutate(true)}>
              End the hold now
            </ChangeButton>
          )}
          {!endpoint.active && (
            <ChangeButton loading={toggle.isPending} onClick={() => toggle.mutate(true)}>
              Enable
            </ChangeButton>
          )}
          <ChangeButton onClick={retry}>Retry now</ChangeButton>
        </Group>
      </Stack>
    </Alert>
  );
}

const causes: Partial<Record<EndpointState['word'], string>> = {
  held: 'Held: ',
  disabled: 'Disabled: ',
  paused: 'Paused ',
};

function reasons({ health: { failing_since } }: Endpoint, { word, why, until }: EndpointState): ReactNode {
  const cause = causes[word];
  return (
    <>
      {cause !== undefined && `${cause}${why}`}
      {until !== null && (
        <>
          , until <Time at={until} /> (<RelativeTime at={until} />)
        </>
      )}
      {cause !== undefined && '. '}
      {failing_since !== null && (
        <>
          Every attempt failed since <Time at={failing_since} /> (<RelativeTime at={failing_since} />
          ).
        </>
      )}
    </>
  );
}
