import { Box, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { useCallback, useMemo } from 'react';
import { useLocation } from 'wouter';
import { type EndpointFigures, type Period, periods } from '../../lib/figures.ts';
import { linkTo } from '../../lib/filters.ts';
import { count, plural, shortCount } from '../../lib/format.ts';
import { duration } from '../../lib/time.ts';
import { Chart } from '../../parts/chart.tsx';
import { Section } from '../../parts/section.tsx';

interface ChartsProps {
  id: string;
  figures: EndpointFigures | null;
  period: Period;
}

export function Charts({ id, figures, period }: ChartsProps) {
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Attempts id={id} figures={figures} period={period} />
      <Latency figures={figures} period={period} />
    </SimpleGrid>
  );
}

function Attempts({ id, figures, period }: ChartsProps) {
  const [, navigate] = useLocation();
  const series = figures?.series;
  const at = useMemo(() => series?.map((point) => point.at) ?? [], [series]);
  const drawn = useMemo(
    () => [
      { label: 'succeeded', colour: 'teal.6', values: series?.map(({ succeeded }) => succeeded) ?? [] },
      { label: 'failed', colour: 'red.6', values: series?.map(({ failed }) => failed) ?? [] },
    ],
    [series],
  );
  const openList = useCallback(
    (from: string, to: string) => navigate(linkTo('/deliveries', { endpoint_id: id, from, to })),
    [id, navigate],
  );
  const { words } = periods[period];
  return (
    <Section title="Attempts" beside={<DragHint shown={Boolean(figures?.attempts)} />}>
      {figures && figures.attempts === 0 ? (
        <Text size="sm" c="dimmed">
          No attempts {words}.
        </Text>
      ) : (
        <Chart
          summary={
            figures
              ? `Attempts ${words}: ${count(figures.succeeded)} succeeded, ${count(figures.failed)} failed`
              : 'Attempts over time'
          }
          at={at}
          series={drawn}
          form="stacked"
          format={shortCount}
          onSelect={openList}
        />
      )}
    </Section>
  );
}

function DragHint({ shown }: { shown: boolean }) {
  if (!shown) return null;
  return (
    <Text size="xs" c="dimmed">
      Drag over a range to see its deliveries
    </Text>
  );
}

function Latency({ figures, period }: Omit<ChartsProps, 'id'>) {
  const latency = figures?.latency_ms ?? null;
  const { words } = periods[period];
  return (
    <Section title="Latency">
      {latency === null ? (
        <Text size="sm" c="dimmed">
          No attempts {words}.
        </Text>
      ) : (
        <Stack gap="sm">
          {(['p50', 'p95', 'p99'] as const).map((name) => (
            <Box key={name}>
              <Text size="sm" mb={2}>
                {name}: <b>{duration(latency[name])}</b>
              </Text>
              <Progress
                value={latency.p99 === 0 ? 0 : (latency[name] / latency.p99) * 100}
                color={name === 'p50' ? 'teal' : name === 'p95' ? 'blue' : 'grape'}
                size="md"
                aria-label={`${name} is ${duration(latency[name])}`}
              />
            </Box>
          ))}
          <Text size="xs" c="dimmed">
            Of {plural(figures?.attempts ?? 0, 'attempt')} {words}, half took at most p50 and 95 % at most p95.
          </Text>
        </Stack>
      )}
    </Section>
  );
}
