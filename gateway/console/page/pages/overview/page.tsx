import { SimpleGrid, Stack } from '@mantine/core';
import { IconRotateClockwise } from '@tabler/icons-react';
import { type Overview, useOverview } from '../../lib/figures.ts';
import { useFilters } from '../../lib/filters.ts';
import { ChangeButton } from '../../parts/change-button.tsx';
import { Frame } from '../../parts/frame.tsx';
import { Loading } from '../../parts/loading.tsx';
import { PeriodSwitch, usePeriod } from '../../parts/period.tsx';
import { Failure } from '../../parts/problem.tsx';
import { RetryDrawer } from '../../parts/retry/drawer.tsx';
import { Section } from '../../parts/section.tsx';
import { AttemptsChart, CallsChart, LatencyChart } from './charts.tsx';
import { type DeadLetters, useDeadLetters } from './dead-letters.ts';
import { ErrorsByClass } from './errors-by-class.tsx';
import { FailingEndpoints } from './failing-endpoints.tsx';
import { CallFigures, DeliveryFigures, NowFigures } from './figures.tsx';
import { FirstSteps, useIsFresh } from './first-steps.tsx';
import { RecentNotices } from './recent-notices.tsx';
import { RefusalsByLimit } from './refusals-by-limit.tsx';
import { RunningRecoveries } from './running-recoveries.tsx';
import { Verdict } from './verdict.tsx';

const lastDay = { since: '24h' };

/** Returns true if deliveries wait although they are due, or failed for good. */
const isOwing = ({ endpoints, deliveries }: Overview, dead: DeadLetters | undefined) =>
  endpoints.in_trouble.length > 0 || deliveries.due_late > 0 || (dead?.count ?? 0) > 0;

/** The gateway's health at a glance. */
export default function OverviewPage() {
  const period = usePeriod();
  const { data: overview, error, refetch } = useOverview(period);
  const dead = useDeadLetters(period);
  const fresh = useIsFresh(overview);
  const [values, change] = useFilters();
  return (
    <Frame
      title="Overview"
      actions={
        <>
          {overview && isOwing(overview, dead) && (
            <ChangeButton leftSection={<IconRotateClockwise size={14} aria-hidden />} onClick={() => change({ retry: '1' })}>
              Retry now
            </ChangeButton>
          )}
          <PeriodSwitch />
        </>
      }
    >
      {error && <Failure error={error} retry={refetch} />}
      {!overview && !error && <Loading lines={12} />}
      {overview && (
        <Stack gap="md">
          {fresh ? <FirstSteps overview={overview} /> : <Verdict overview={overview} dead={dead} />}
          <RetryDrawer
            filter={lastDay}
            opened={values.retry === '1' || values.recovery !== undefined}
            recovery={values.recovery}
            show={(recovery) => change({ retry: undefined, recovery })}
            close={() => change({ retry: undefined, recovery: undefined })}
          />
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
