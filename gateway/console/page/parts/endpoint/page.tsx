import { SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, dataOf } from '../../lib/api.ts';
import { type Endpoint, stateOf } from '../../lib/endpoint-state.ts';
import type { EventType } from '../../lib/event-types.ts';
import { useFilters } from '../../lib/filters.ts';
import { useNeighbours } from '../../lib/neighbours.ts';
import { text } from '../../texts/shared.ts';
import { ChangeButton } from '../change-button.tsx';
import { Frame } from '../frame.tsx';
import { IconSend } from '../icons/tabler.ts';
import { Loading } from '../loading.tsx';
import { Failure } from '../problem.tsx';
import { RetryDrawer, type RetryDrawerProps } from '../retry/drawer.tsx';
import { Secrets } from './secrets.tsx';
import { Settings } from './settings.tsx';
import { StateBadge } from './state.tsx';
import { TestDrawer } from './test-event.tsx';

interface EndpointPageProps extends Pick<RetryDrawerProps, 'owed'> {
  id: string;
  /** The name of the page while the endpoint is read. */
  title: string;
  list: string;
  actions(endpoint: Endpoint): ReactNode;
  /** What needs attention. */
  notices(endpoint: Endpoint): ReactNode;
  /** Shown above the settings. */
  figures?(endpoint: Endpoint): ReactNode;
  owner?(endpoint: Endpoint): ReactNode;
  /** Shown below the settings. */
  below?(endpoint: Endpoint): ReactNode;
  /** The event types of a service, for a test event. */
  useTypes(service: Endpoint['service'] | undefined): readonly EventType[];
  /** The endpoint's name in the dialog that sends its deliveries now. */
  nameOf?(endpoint: Endpoint): string;
}

/** One endpoint: its state, its settings and its actions. The open dialog is in the address. */
export function EndpointPage(props: EndpointPageProps) {
  const { id, title, list, actions, notices, figures, owner, below, useTypes, nameOf, owed } = props;
  useNeighbours();
  const read = useQuery({
    queryKey: ['endpoint', id],
    queryFn: () => dataOf(api.GET('/endpoints/{id}', { params: { path: { id } } })),
    refetchInterval: 3000,
  });
  const endpoint = read.data;
  const types = useTypes(endpoint?.service);
  const from = { href: '/endpoints', label: list };
  if (!endpoint)
    return (
      <Frame title={title} from={from}>
        {read.error ? <Failure error={read.error} retry={read.refetch} /> : <Loading lines={10} />}
      </Frame>
    );
  return (
    <Frame title={endpoint.url} from={from} beside={<StateBadge of={stateOf(endpoint)} />} actions={actions(endpoint)}>
      {read.error && <Failure error={read.error} retry={read.refetch} />}
      {notices(endpoint)}
      {figures?.(endpoint)}
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Settings endpoint={endpoint} owner={owner?.(endpoint)} />
        <Secrets endpoint={endpoint} />
      </SimpleGrid>
      {below?.(endpoint)}
      <TestDrawer key={id} endpoint={endpoint} types={types} />
      <RetryDrawer filter={{ endpoint_id: id }} endpointName={nameOf?.(endpoint)} isActive={endpoint.active} owed={owed} />
    </Frame>
  );
}

/** Opens the dialog that sends a test event. An endpoint that needs attention has another main action, in its notice. */
export function TestButton({ endpoint }: { endpoint: Endpoint }) {
  const [, change] = useFilters();
  return (
    <ChangeButton
      variant={stateOf(endpoint).word === 'active' ? 'filled' : 'default'}
      leftSection={<IconSend size={15} aria-hidden />}
      onClick={() => change({ test: '1' })}
    >
      {text.endpointParts.sendTest}
    </ChangeButton>
  );
}
