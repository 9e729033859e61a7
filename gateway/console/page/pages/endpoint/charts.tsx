import { Group, SimpleGrid, Stack, Text } from '@mantine/core';
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
      <Latency id={id} figures={figures} period={period} />
    </SimpleGrid>
  );
}

function Attempts({ id, figures, period }: ChartsProps) {
  const openList = useOpenDeliveries(id);
  const series = figures?.series;
  const at = useMemo(() => series?.map((point) => point.at) ?? [], [series]);
  const drawn = useMemo(
    () => [
      { label: 'succeeded', colour: 'teal.6', values: series?.map(({ succeeded }) => succeeded) ?? [] },
      { label: 'failed', colour: 'red.6', values: series?.map(({ failed }) => failed) ?? [] },
    ],
    [series],
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

/** Opens the endpoint's deliveries of a range of time. */
function useOpenDeliveries(id: string) {
  const [, navigate] = useLocation();
  return useCallback(
    (from: string, to: string) => navigate(linkTo('/deliveries', { endpoint_id: id, from, to })),
    [id, navigate],
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

function Latency({ id, figures, period }: ChartsProps) {
  const openList = useOpenDeliveries(id);
  const series = figures?.series;
  const at = useMemo(() => series?.map((point) => point.at) ?? [], [series]);
  const drawn = useMemo(
    () =>
      percentiles.map(({ name, colour }) => ({
        label: name,
        colour,
        values: series?.map(({ latency_ms }) => latency_ms?.[name] ?? null) ?? [],
      })),
    [series],
  );
  const latency = figures?.latency_ms;
  const { words } = periods[period];
  return (
    <Section title="Latency" beside={<DragHint shown={Boolean(latency)} />}>
      {figures && !latency ? (
        <Text size="sm" c="dimmed">
          No attempts {words}.
        </Text>
      ) : (
        <Stack gap="xs">
          <Chart
            summary={
              latency
                ? `Latency ${words}: ${duration(latency.p50)} p50, ${duration(latency.p95)} p95, ${duration(latency.p99)} p99`
                : 'Latency over time'
            }
            at={at}
            series={drawn}
            form="lines"
            format={duration}
            onSelect={openList}
          />
          {latency && (
            <Group gap="lg">
              {percentiles.map(({ name }) => (
                <Text size="sm" key={name}>
                  {name}: <b>{duration(latency[name])}</b>
                </Text>
              ))}
            </Group>
          )}
          <Text size="xs" c="dimmed">
            Of {plural(figures?.attempts ?? 0, 'attempt')} {words}, half took at most p50 and 95 % at most p95.
          </Text>
        </Stack>
      )}
    </Section>
  );
}

const percentiles = [
  { name: 'p50', colour: 'teal.6' },
  { name: 'p95', colour: 'blue.6' },
  { name: 'p99', colour: 'grape.6' },
] as const;
