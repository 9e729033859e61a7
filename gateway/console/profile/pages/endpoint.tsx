import { Button, SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { stateOf } from '../../page/lib/endpoint-state.ts';
import { linkTo, useFilters } from '../../page/lib/filters.ts';
import { useNeighbours } from '../../page/lib/neighbours.ts';
import type { PageProps } from '../../page/lib/page-props.ts';
import { ChangeButton } from '../../page/parts/change-button.tsx';
import { ActionsMenu } from '../../page/parts/endpoint/actions-menu.tsx';
import { RotationAlert, Secrets } from '../../page/parts/endpoint/secrets.tsx';
import { Settings } from '../../page/parts/endpoint/settings.tsx';
import { StateBadge } from '../../page/parts/endpoint/state.tsx';
import { StateAlert } from '../../page/parts/endpoint/state-alert.tsx';
import { TestDrawer } from '../../page/parts/endpoint/test-event.tsx';
import { Frame } from '../../page/parts/frame.tsx';
import { IconSend } from '../../page/parts/icons/tabler.ts';
import { Loading } from '../../page/parts/loading.tsx';
import { Failure } from '../../page/parts/problem.tsx';
import { RetryDrawer } from '../../page/parts/retry/drawer.tsx';
import { answer, profile } from '../lib/api.ts';
import { type Endpoint, isUnverified, mayResume } from '../lib/endpoints.ts';
import { useEventTypes } from '../lib/event-types.ts';
import { owed } from '../lib/owed.ts';
import { EditDrawer } from '../parts/endpoint-drawers.tsx';
import { Samples } from '../parts/samples.tsx';
import { Verification } from '../parts/verification.tsx';
import { text } from '../texts/index.ts';

const texts = text.webhooks;
const from = { href: '/endpoints', label: texts.back };

/** One endpoint: verify it, see its state, change it. The open dialog is in the address. */
export default function EndpointPage({ params: { id = '' } }: PageProps) {
  useNeighbours();
  const read = useQuery({
    queryKey: ['endpoint', id],
    queryFn: async () => (await answer(profile.GET('/endpoints/{id}', { params: { path: { id } } }))).data,
    refetchInterval: 3000,
  });
  const endpoint = read.data;
  if (!endpoint)
    return (
      <Frame title={texts.columns.endpoint} from={from}>
        {read.error ? <Failure error={read.error} retry={read.refetch} /> : <Loading lines={10} />}
      </Frame>
    );
  return (
    <Frame
      title={endpoint.url}
      from={from}
      beside={<StateBadge of={stateOf(endpoint)} />}
      actions={<Actions endpoint={endpoint} />}
    >
      {read.error && <Failure error={read.error} retry={read.refetch} />}
      <EndpointBody key={id} endpoint={endpoint} />
    </Frame>
  );
}

function Actions({ endpoint }: { endpoint: Endpoint }) {
  const [, change] = useFilters();
  return (
    <>
      <Button component={Link} href={linkTo('/deliveries', { endpoint_id: endpoint.id })} size="xs" variant="default">
        {texts.deliveries}
      </Button>
      {endpoint.active && (
        <ChangeButton
          variant={stateOf(endpoint).word === 'active' ? 'filled' : 'default'}
          leftSection={<IconSend size={15} aria-hidden />}
          onClick={() => change({ test: '1' })}
        >
          {text.endpointParts.sendTest}
        </ChangeButton>
      )}
      <ActionsMenu endpoint={endpoint} edit={(drawer) => <EditDrawer endpoint={endpoint} {...drawer} />} />
    </>
  );
}

function EndpointBody({ endpoint }: { endpoint: Endpoint }) {
  const [values, change] = useFilters();
  const types = useEventTypes();
  const { id, active } = endpoint;
  return (
    <Stack gap="md">
      <Verification endpoint={endpoint} />
      {!isUnverified(endpoint) && (
        <StateAlert endpoint={endpoint} mayResume={mayResume(endpoint)} retry={() => change({ retry: '1' })} />
      )}
      <RotationAlert endpoint={endpoint} test={() => change({ test: 'new' })} />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Settings endpoint={endpoint} />
        <Secrets secrets={endpoint.secrets} />
      </SimpleGrid>
      {isUnverified(endpoint) && <Samples />}
      <TestDrawer
        endpoint={endpoint}
        types={types}
        opened={values.test !== undefined}
        newSecret={values.test === 'new'}
        close={() => change({ test: undefined })}
      />
      <RetryDrawer owed={owed} filter={{ endpoint_id: id }} isActive={active} />
    </Stack>
  );
}
