import { Alert, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type Endpoint, type EndpointState, stateOf } from '../../lib/endpoint-state.ts';
import { ChangeButton } from '../../parts/change-button.tsx';
import { RelativeTime, Time } from '../../parts/time.tsx';
import { useSwitch } from './actions.tsx';

interface TroubleProps {
  endpoint: Endpoint;
  test(): void;
  recover(): void;
}

/** What each state that wants somebody means, and what to do. */
const advice: Partial<Record<EndpointState['word'], { title: string; next: string }>> = {
  held: {
    title: 'Deliveries to it wait',
    next: 'Nothing is lost. See why it fails, mend the receiver, and send a test event: one success ends the hold.',
  },
  probing: {
    title: 'One delivery tries whether it is well again',
    next: 'Where it succeeds, those that waited go out by themselves.',
  },
  failing: {
    title: 'Its last attempts failed',
    next: 'Each is tried again on its schedule. See why below; a test event shows whether the receiver is mended.',
  },
  paused: {
    title: 'It is paused',
    next: 'What happens meanwhile is kept as skipped. Enable it, then recover what it missed.',
  },
  disabled: {
    title: 'Nothing is sent to it any more',
    next: 'What happens meanwhile is kept as skipped. Mend the receiver, enable it, send a test event, then recover what it missed.',
  },
};

export function Trouble({ endpoint, test, recover }: TroubleProps) {
  const state = stateOf(endpoint);
  const toggle = useSwitch(endpoint.id);
  const said = advice[state.word];
  if (!said) return null;
  const colour = state.tone === 'bad' ? 'red' : state.tone === 'waits' ? 'yellow' : 'gray';
  return (
    <Alert color={colour} variant="light" icon={<IconAlertTriangle size={18} />} title={said.title}>
      <Stack gap="xs">
        <Text size="sm">{reasons(endpoint, state)}</Text>
        <Text size="sm">{said.next}</Text>
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
          <ChangeButton onClick={recover}>Recover failed</ChangeButton>
        </Group>
      </Stack>
    </Alert>
  );
}

const causes: Partial<Record<EndpointState['word'], string>> = {
  held: 'Held, since ',
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
          Nothing but failures since <Time at={failing_since} /> (<RelativeTime at={failing_since} />
          ).
        </>
      )}
    </>
  );
}
