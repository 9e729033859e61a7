import { Group, SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../lib/api.ts';
import { type Endpoint, stateOf } from '../../lib/endpoint-state.ts';
import { useEventTypes } from '../../lib/event-types.ts';
import { useEndpointFigures } from '../../lib/figures.ts';
import { useFilters } from '../../lib/filters.ts';
import { shortUrl } from '../../lib/format.ts';
import type { PageProps } from '../../lib/page-props.ts';
import { hasFigures } from '../../lib/stub.ts';
import { ChangeButton } from '../../parts/change-button.tsx';
import { ActionsMenu } from '../../parts/endpoint/actions-menu.tsx';
import { OperatorForm } from '../../parts/endpoint/operator-form.tsx';
import { EndpointPage, TestButton } from '../../parts/endpoint/page.tsx';
import { StateAlert } from '../../parts/endpoint/state-alert.tsx';
import { Hint } from '../../parts/hint.tsx';
import { IconRestore, IconUserCircle } from '../../parts/icons/tabler.ts';
import { Loading } from '../../parts/loading.tsx';
import { NoticeList } from '../../parts/notice-list.tsx';
import { Owner } from '../../parts/owner.tsx';
import { PeriodSwitch, usePeriod } from '../../parts/period.tsx';
import { Failure } from '../../parts/problem.tsx';
import { ProfileLinks } from '../../parts/profile-links.tsx';
import { Section } from '../../parts/section.tsx';
import { text } from '../../texts/index.ts';
import { Charts } from './charts.tsx';
import { Figures } from './figures.tsx';
import { LastFailures } from './last-failures.tsx';
import { Ledger } from './ledger.tsx';
import { Recoveries } from './recoveries.tsx';

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

function Notices({ id }: { id: string }) {
  const notices = useQuery({
    queryKey: ['endpoint', id, 'notices'],
    queryFn: () => dataOf(api.GET('/notices', { params: { query: { endpoint_id: id, limit: 10 } } })),
    refetchInterval: 5000,
  });
  return (
    <Section title={text.endpoint.notices.title}>
      {notices.error ? (
        <Failure error={notices.error} retry={notices.refetch} />
      ) : !notices.data ? (
        <Loading lines={2} />
      ) : notices.data.length === 0 ? (
        <Hint>{text.endpoint.notices.none}</Hint>
      ) : (
        <NoticeList notices={notices.data} />
      )}
    </Section>
  );
}

/** The main action of an endpoint that needs attention is in the notice about its state. */
function Actions({ endpoint }: { endpoint: Endpoint }) {
  const { id, name } = endpoint.owner;
  const [, change] = useFilters();
  return (
    <>
      {stateOf(endpoint).word === 'active' && (
        <ChangeButton leftSection={<IconRestore size={15} aria-hidden />} onClick={() => change({ retry: '1' })}>
          {text.endpointParts.retryNow}
        </ChangeButton>
      )}
      <TestButton endpoint={endpoint} />
      <ActionsMenu
        endpoint={endpoint}
        form={(props) => <OperatorForm {...props} />}
        others={
          id === null
            ? []
            : [
                {
                  label: text.partners.links.open,
                  icon: IconUserCircle,
                  dialog: (drawer) => <ProfileLinks owner={{ id, name: name ?? id }} {...drawer} />,
                },
              ]
        }
      />
    </>
  );
}
