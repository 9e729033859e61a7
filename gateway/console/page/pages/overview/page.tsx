import { SimpleGrid, Stack } from '@mantine/core';
import { useOverview } from '../../lib/figures.ts';
import { Frame } from '../../parts/frame.tsx';
import { Loading } from '../../parts/loading.tsx';
import { PeriodSwitch, usePeriod } from '../../parts/period.tsx';
import { Failure } from '../../parts/problem.tsx';
import { Section } from '../../parts/section.tsx';
import { AttemptsChart, CallsChart, LatencyChart } from './charts.tsx';
import { useDeadLetters } from './dead-letters.ts';
import { ErrorsByClass } from './errors-by-class.tsx';
import { FailingEndpoints } from './failing-endpoints.tsx';
import { CallFigures, DeliveryFigures, NowFigures } from './figures.tsx';
import { FirstSteps, useIsFresh } from './first-steps.tsx';
import { RecentNotices } from './recent-notices.tsx';
import { RefusalsByLimit } from './refusals-by-limit.tsx';
import { RunningRecoveries } from './running-recoveries.tsx';
import { Verdict } from './verdict.tsx';

/** The gateway's health at a glance. */
export default function OverviewPage() {
  const period = usePeriod();
  const { data: overview, error, refetch } = useOverview(period);
  const dead = useDeadLetters(period);
  const fresh = useIsFresh(overview);
  return (
    <Frame title="Overview" actions={<PeriodSwitch />}>
      {error && <Failure error={error} retry={refetch} />}
      {!overview && !error && <Loading lines={12} />}
      {overview && (
        <Stack gap="md">
          {fresh ? <FirstSteps overview={overview} /> : <Verdict overview={overview} dead={dead} />}
          <RunningRecoveries running={overview.recoveries.running} />
          <FailingEndpoints endpoints={overview.endpoints.in_trouble} />
          <SimpleGrid cols={{ base: 1, lg: 2 }}>
            <Section title="Calls">
              <Stack gap="sm">
                <CallFigures overview={overview} />
                <CallsChart overview={overview} />
              </Stack>
            </Section>
            <Section title="Deliveries">
              <Stack gap="sm">
                <DeliveryFigures overview={overview} dead={dead} />
                <AttemptsChart overview={overview} />
              </Stack>
            </Section>
          </SimpleGrid>
          <NowFigures overview={overview} />
          <SimpleGrid cols={{ base: 1, lg: 2 }}>
            <Section title="Latency, p95">
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
