import { SimpleGrid, Stack } from '@mantine/core';
import { useCallback, useMemo } from 'react';
import { useLocation } from 'wouter';
import { type EndpointFigures, type Period, periods } from '../../lib/figures.ts';
import { linkTo } from '../../lib/filters.ts';
import { shortCount } from '../../lib/format.ts';
import { duration } from '../../lib/time.ts';
import { Chart } from '../../parts/chart.tsx';
import { Hint } from '../../parts/hint.tsx';
import { Section } from '../../parts/section.tsx';
import { text } from '../../texts/index.ts';

interface ChartsProps {
  id: string;
  figures: EndpointFigures | null;
  period: Period;
}

export const Charts = ({ id, figures, period }: ChartsProps) => (
  <SimpleGrid cols={{ base: 1, lg: 2 }}>
    <Attempts id={id} figures={figures} period={period} />
    <Latency id={id} figures={figures} period={period} />
  </SimpleGrid>
);

function Attempts({ id, figures, period }: ChartsProps) {
  const openList = useOpenDeliveries(id);
  const series = figures?.series;
  const at = useMemo(() => series?.map((point) => point.at) ?? [], [series]);
  const drawn = useMemo(
    () => [
      { label: text.endpoint.charts.succeeded, colour: 'teal.6', values: series?.map(({ succeeded }) => succeeded) ?? [] },
      { label: text.endpoint.charts.failed, colour: 'red.6', values: series?.map(({ failed }) => failed) ?? [] },
    ],
    [series],
  );
  const { words } = periods[period];
  return (
    <Section title={text.endpoint.charts.attempts} beside={<DragHint shown={Boolean(figures?.attempts)} />}>
      {figures && figures.attempts === 0 ? (
        <Hint>{text.endpoint.charts.noAttempts(words)}</Hint>
      ) : (
        <Chart
          summary={
            figures
              ? text.endpoint.charts.attemptsAre(words, figures.succeeded, figures.failed)
              : text.endpoint.charts.attemptsOverTime
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
  return <Hint size="xs">{text.endpoint.charts.drag}</Hint>;
}

function Latency({ id, figures, period }: ChartsProps) {
  const openList = useOpenDeliveries(id);
  const series = figures?.series;
  const latency = figures?.latency_ms;
  const at = useMemo(() => series?.map((point) => point.at) ?? [], [series]);
  const drawn = useMemo(
    () =>
      percentiles.map(({ name, colour }) => ({
        label: name,
        colour,
        values: series?.map(({ latency_ms }) => latency_ms?.[name] ?? null) ?? [],
        total: latency?.[name],
      })),
    [series, latency],
  );
  const { words } = periods[period];
  return (
    <Section title={text.endpoint.charts.latency} beside={<DragHint shown={Boolean(latency)} />}>
      {figures && !latency ? (
        <Hint>{text.endpoint.charts.noAttempts(words)}</Hint>
      ) : (
        <Stack gap="xs">
          <Chart
            summary={
              latency
                ? text.endpoint.charts.latencyIs(words, duration(latency.p50), duration(latency.p95), duration(latency.p99))
                : text.endpoint.charts.latencyOverTime
            }
            at={at}
            series={drawn}
            form="lines"
            format={duration}
            onSelect={openList}
          />
          <Hint size="xs">{text.endpoint.charts.percentiles(figures?.attempts ?? 0, words)}</Hint>
        </Stack>
      )}
    </Section>
  );
}

const percentiles = [
  { name: 'p50', colour: 'gray.7' },
  { name: 'p95', colour: 'accent.5' },
  { name: 'p99', colour: 'gray.5' },
] as const;
