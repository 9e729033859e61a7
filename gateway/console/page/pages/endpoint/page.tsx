import { Group, SimpleGrid, Stack } from '@mantine/core';
import type { Endpoint } from '../../lib/endpoint-state.ts';
import { useEventTypes } from '../../lib/event-types.ts';
import { useEndpointFigures } from '../../lib/figures.ts';
import { useFilters } from '../../lib/filters.ts';
import { shortUrl } from '../../lib/format.ts';
import type { PageProps } from '../../lib/page-props.ts';
import { hasFigures } from '../../lib/stub.ts';
import { EndpointPage } from '../../parts/endpoint/page.tsx';
import { StateAlert } from '../../parts/endpoint/state-alert.tsx';
import { Owner } from '../../parts/owner.tsx';
import { PeriodSwitch, usePeriod } from '../../parts/period.tsx';
import { Failure } from '../../parts/problem.tsx';
import { text } from '../../texts/index.ts';
import { Actions } from './actions.tsx';
import { Charts } from './charts.tsx';
import { Figures } from './figures.tsx';
import { LastFailures } from './last-failures.tsx';
import { Ledger } from './ledger.tsx';
import { Notices } from './notices.tsx';
import { Recoveries } from './recoveries.tsx';

/** One endpoint with its figures and its history. */
export default function EndpointWithFigures({ params: { id = '' } }: PageProps) {
  return (
    <EndpointPage
      id={id}
      title={text.endpoint.title}
      list={text.endpoint.all}
      actions={(endpoint) => <Actions endpoint={endpoint} />}
      notices={(endpoint) => <StateAlert endpoint={endpoint} />}
      figures={(endpoint) => <Health endpoint={endpoint} />}
      owner={(endpoint) => <Owner of={endpoint.owner} />}
      useTypes={useEventTypes}
      nameOf={({ url }) => shortUrl(url)}
    />
  );
}

/** Its figures in a period, and what happened. */
function Health({ endpoint }: { endpoint: Endpoint }) {
  const { id } = endpoint;
  const [, change] = useFilters();
  const period = usePeriod();
  const { data: figures = null, error, refetch } = useEndpointFigures(id, period);
  return (
    <>
      {hasFigures && (
        <>
          <Group justify="flex-end">
            <PeriodSwitch />
          </Group>
          {error && <Failure error={error} retry={refetch} />}
          <Figures id={id} figures={figures} period={period} />
          <Charts id={id} figures={figures} period={period} />
        </>
      )}
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Stack>
          <LastFailures figures={figures} period={period} />
          <Notices id={id} />
        </Stack>
        <Stack>
          <Recoveries endpoint={endpoint} open={(recovery) => change({ recovery })} />
          <Ledger id={id} />
        </Stack>
      </SimpleGrid>
    </>
  );
}
