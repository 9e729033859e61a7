import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { type Endpoint, type EndpointState, stateOf } from '../../lib/endpoint-state.ts';
import { linkTo, useFilters } from '../../lib/filters.ts';
import { text } from '../../texts/shared.ts';
import { ChangeButton } from '../change-button.tsx';
import { IconAlertTriangle } from '../icons/tabler.ts';
import { Why } from '../why.tsx';
import { useSetActive } from './use-set-active.ts';

interface StateAlertProps {
  endpoint: Endpoint;
  /** False for an owner, if an operator switched the endpoint off. */
  mayResume?: boolean;
}

const advice: Partial<Record<EndpointState['word'], { title: string; next: string }>> = text.endpointParts.state.advice;

export function StateAlert({ endpoint, mayResume = true }: StateAlertProps) {
  const state = stateOf(endpoint);
  const [, change] = useFilters();
  const toggle = useSetActive(endpoint.id);
  const texts = advice[state.word];
  if (!texts) return null;
  const colour = state.tone === 'error' ? 'red' : state.tone === 'warning' ? 'yellow' : 'gray';
  return (
    <Alert color={colour} icon={<IconAlertTriangle size={18} />} title={texts.title}>
      <Stack gap="xs">
        {endpoint.cause && (
          <Text size="sm">
            <Why of={endpoint.cause} />
          </Text>
        )}
        <Text size="sm">{mayResume ? texts.next : text.endpointParts.state.onlyOperator}</Text>
        <Group gap="xs">
          {!endpoint.active && mayResume && (
            <ChangeButton variant="filled" loading={toggle.isPending} onClick={() => toggle.mutate(true)}>
              {text.endpointParts.enable}
            </ChangeButton>
          )}
          {state.word === 'blocked' && (
            <Button component={Link} href={linkTo('/deliveries', { blocking: 'true', endpoint_id: endpoint.id })}>
              {text.endpointParts.state.showBlocking}
            </Button>
          )}
          {mayResume && state.word !== 'blocked' && (
            <ChangeButton variant={endpoint.active ? 'filled' : 'default'} onClick={() => change({ retry: '1' })}>
              {text.endpointParts.retryNow}
            </ChangeButton>
          )}
          {state.word === 'held' && (
            <ChangeButton loading={toggle.isPending} onClick={() => toggle.mutate(true)}>
              {text.endpointParts.state.endHold}
            </ChangeButton>
          )}
        </Group>
      </Stack>
    </Alert>
  );
}
