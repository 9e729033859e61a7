import { Group, SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answer, api } from '../../lib/api.ts';
import { stateOf } from '../../lib/endpoint-state.ts';
import { useEventTypes } from '../../lib/event-types.ts';
import { useEndpointFigures } from '../../lib/figures.ts';
import { useFilters } from '../../lib/filters.ts';
import { shortUrl } from '../../lib/format.ts';
import { useNeighbours } from '../../lib/neighbours.ts';
import type { PageProps } from '../../lib/page-props.ts';
import { RotationAlert, Secrets } from '../../parts/endpoint/secrets.tsx';
import { Settings } from '../../parts/endpoint/settings.tsx';
import { StateBadge } from '../../parts/endpoint/state.tsx';
import { StateAlert } from '../../parts/endpoint/state-alert.tsx';
import { TestDrawer } from '../../parts/endpoint/test-event.tsx';
import { Frame } from '../../parts/frame.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Owner } from '../../parts/owner.tsx';
import { PeriodSwitch, usePeriod } from '../../parts/period.tsx';
import { Failure } from '../../parts/problem.tsx';
import { RetryDrawer } from '../../parts/retry/drawer.tsx';
import { text } from '../../texts/index.ts';
import { Actions } from './actions.tsx';
import { Charts } from './charts.tsx';
import { Figures } from './figures.tsx';
import { LastFailures } from './last-failures.tsx';
import { Ledger } from './ledger.tsx';
import { Notices } from './notices.tsx';
import { Recoveries } from './recoveries.tsx';

const from = { href: '/endpoints', label: text.endpoint.all };

/** One endpoint: its health, its figures and its actions. The open dialog is in the address. */
export default function EndpointPage({ params: { id = '' } }: PageProps) {
  const [values, change] = useFilters();
  const period = usePeriod();
  useNeighbours();
  const read = useQuery({
    queryKey: ['endpoint', id],
    queryFn: async () => (await answer(api.GET('/endpoints/{id}', { params: { path: { id } } }))).data,
    refetchInterval: 3000,
  });
  const figures = useEndpointFigures(id, period);
  const endpoint = read.data;
  const types = useEventTypes(endpoint?.service);
  if (!endpoint)
    return (
      <Frame title={text.endpoint.title} from={from}>
        {read.error ? <Failure error={read.error} retry={read.refetch} /> : <Loading lines={10} />}
      </Frame>
    );
  return (
    <Frame
      title={endpoint.url}
      from={from}
      beside={<StateBadge of={stateOf(endpoint)} />}
      actions={<Actions endpoint={endpoint} test={() => change({ test: '1' })} retry={() => change({ retry: '1' })} />}
    >
      {read.error && <Failure error={read.error} retry={read.refetch} />}
      <StateAlert endpoint={endpoint} retry={() => change({ retry: '1' })} />
      <RotationAlert endpoint={endpoint} test={() => change({ test: 'new' })} />
      <Group justify="flex-end">
        <PeriodSwitch />
      </Group>
      {figures.error && <Failure error={figures.error} retry={figures.refetch} />}
      <Figures id={id} figures={figures.data ?? null} period={period} />
      <Charts id={id} figures={figures.data ?? null} period={period} />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Stack>
          <LastFailures figures={figures.data ?? null} period={period} />
          <Notices id={id} />
        </Stack>
        <Stack>
          <Recoveries endpoint={endpoint} open={(recovery) => change({ recovery })} />
          <Ledger id={id} />
        </Stack>
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Settings endpoint={endpoint} owner={<Owner of={endpoint.owner} />} />
        <Secrets secrets={endpoint.secrets} />
      </SimpleGrid>
      <TestDrawer
        endpoint={endpoint}
        types={types}
        opened={values.test !== undefined}
        newSecret={values.test === 'new'}
        close={() => change({ test: undefined })}
      />
      <RetryDrawer filter={{ endpoint_id: id }} endpointName={shortUrl(endpoint.url)} isActive={endpoint.active} />
    </Frame>
  );
}
