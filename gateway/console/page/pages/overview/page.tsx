import { SimpleGrid, Stack } from '@mantine/core';
import { type Overview, useOverview } from '../../lib/figures.ts';
import { useFilters } from '../../lib/filters.ts';
import { Frame } from '../../parts/frame.tsx';
import { Hint } from '../../parts/hint.tsx';
import { Loading } from '../../parts/loading.tsx';
import { NoticeList } from '../../parts/notice-list.tsx';
import { PeriodSwitch, usePeriod } from '../../parts/period.tsx';
import { RetryDrawer } from '../../parts/retry/drawer.tsx';
import { Section } from '../../parts/section.tsx';
import { text } from '../../texts/index.ts';
import { AttemptsChart, CallsChart, LatencyChart } from './charts.tsx';
import { ErrorsByClass } from './errors-by-class.tsx';
import { FailingEndpoints } from './failing-endpoints.tsx';
import { CallFigures, DeliveryFigures, NowFigures } from './figures.tsx';
import { FirstSteps, useIsFresh } from './first-steps.tsx';
import { RefusalsByLimit } from './refusals-by-limit.tsx';
import { RunningRecoveries } from './running-recoveries.tsx';
import { NoVerdict, Verdict, WrongClock } from './verdict.tsx';

/** The retry schedule takes three days. */
const lastWeek = { since: '7d' };

/** Sending now does not help an endpoint that is behind: its deliveries wait for their turn. */
const helpedByRetry = ['held', 'failing', 'unsteady'];

/** Returns true if deliveries wait that could be sent now, or failed for good. */
const isOwing = ({ endpoints, deliveries, verdict }: Overview) =>
  verdict.problems.some(({ case: name }) => name.startsWith('retrying')) ||
  endpoints.in_trouble.some(({ trouble }) => helpedByRetry.includes(trouble.name) && trouble.owed !== 0) ||
  deliveries.due_late > 0 ||
  deliveries.dead_letters > 0;

/** The gateway's health at a glance. */
export default function OverviewPage() {
  const period = usePeriod();
  const { data: overview, error, refetch } = useOverview(period);
  const fresh = useIsFresh(overview);
  const [, change] = useFilters();
  return (
    <Frame title={text.overview.title} actions={<PeriodSwitch />}>
      {error && <NoVerdict error={error} retry={refetch} />}
      {!overview && !error && <Loading lines={12} />}
      {overview && (
        <Stack gap="md">
          {fresh && <FirstSteps overview={overview} />}
          {!error && !(fresh && overview.verdict.problems.length === 0) && (
            <Verdict overview={overview} retry={isOwing(overview) ? () => change({ retry: '1' }) : undefined} />
          )}
          <WrongClock clock={overview.clock} />
          <RetryDrawer filter={lastWeek} />
          <RunningRecoveries running={overview.recoveries.running} />
          <FailingEndpoints overview={overview} />
          <SimpleGrid cols={{ base: 1, lg: 2 }}>
            <Section title={text.overview.calls.title}>
              <Stack gap="sm">
                <CallFigures overview={overview} />
                <CallsChart overview={overview} />
              </Stack>
            </Section>
            <Section title={text.overview.deliveries.title}>
              <Stack gap="sm">
                <DeliveryFigures overview={overview} />
                <AttemptsChart overview={overview} />
              </Stack>
            </Section>
          </SimpleGrid>
          <NowFigures overview={overview} />
          <SimpleGrid cols={{ base: 1, lg: 2 }}>
            <Section title={text.overview.latency.title}>
              <LatencyChart overview={overview} />
            </Section>
            <ErrorsByClass overview={overview} />
            <RefusalsByLimit overview={overview} />
            <RecentNotices notices={overview.notices} />
          </SimpleGrid>
        </Stack>
      )}
    </Frame>
  );
}

const RecentNotices = ({ notices }: Pick<Overview, 'notices'>) => (
  <Section title={text.overview.notices.title}>
    {notices.length === 0 ? <Hint>{text.overview.notices.none}</Hint> : <NoticeList notices={notices} showEndpoint />}
  </Section>
);
