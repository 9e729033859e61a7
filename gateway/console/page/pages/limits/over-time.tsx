import { Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { type Period, periods } from '../../lib/figures.ts';
import { linkTo } from '../../lib/filters.ts';
import { percent, shortCount } from '../../lib/format.ts';
import { Chart, type Series } from '../../parts/chart.tsx';
import { Hint } from '../../parts/hint.tsx';
import { text } from '../../texts/index.ts';
import type { CallerUse } from './caller-use.ts';

const says = text.limits.chart;

/** A caller's calls over the period and the share of a limit that they used. Selecting a range opens its calls. */
export function OverTime({ of: { caller, series }, period }: { of: CallerUse; period: Period }) {
  const [, navigate] = useLocation();
  const at = useMemo(() => series.map((point) => point.at), [series]);
  const calls = useMemo<Series[]>(
    () => [
      { label: says.accepted, colour: 'teal.6', values: series.map((point) => point.calls - point.refused) },
      { label: says.refused, colour: 'red.6', values: series.map(({ refused }) => refused) },
    ],
    [series],
  );
  const shares = useMemo<Series[]>(
    () => [{ label: says.share, colour: 'accent.5', values: series.map((point) => point.peak_share) }],
    [series],
  );
  const openList = (from: string, to: string) => navigate(linkTo('/calls', { caller, from, to }));
  const when = periods[period].words;
  return (
    <Stack gap="xs" mt="sm">
      <Text size="sm" fw={600}>
        {says.calls(when)}
      </Text>
      <Chart summary={says.callsOf(caller, when)} at={at} series={calls} form="stacked" format={shortCount} onSelect={openList} />
      <Text size="sm" fw={600}>
        {says.peak}
      </Text>
      <Chart
        summary={says.shareOf(caller, when)}
        at={at}
        series={shares}
        form="lines"
        format={percent}
        height={140}
        onSelect={openList}
      />
      <Hint size="xs">{says.drag}</Hint>
    </Stack>
  );
}
