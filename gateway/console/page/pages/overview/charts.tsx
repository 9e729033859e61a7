import { SimpleGrid, Text } from '@mantine/core';
import { useCallback, useMemo } from 'react';
import { useLocation } from 'wouter';
import { type Overview, periods } from '../../lib/figures.ts';
import { linkTo } from '../../lib/filters.ts';
import { count, shortCount } from '../../lib/format.ts';
import { duration } from '../../lib/time.ts';
import { Chart, type Series } from '../../parts/chart.tsx';
import { Section } from '../../parts/section.tsx';

/** Calls, attempts and latency over time; a stretch that is chosen opens the list over that time. */
export function Charts({ overview: { calls, attempts, period } }: { overview: Overview }) {
  const [, navigate] = useLocation();
  const { words } = periods[period.name];
  const at = useMemo(() => calls.series.map((point) => point.at), [calls.series]);
  const series = useMemo(() => seriesOf(calls.series, attempts.series), [calls.series, attempts.series]);
  // The list of calls names the end of a period `until`, that of deliveries `to`.
  const toCalls = useCallback((from: string, until: string) => navigate(linkTo('/calls', { from, until })), [navigate]);
  const toDeliveries = useCallback((from: string, to: string) => navigate(linkTo('/deliveries', { from, to })), [navigate]);
  const callsWords = `Calls ${words}: ${count(calls.succeeded)} succeeded, ${count(calls.refused)} refused, ${count(calls.limited)} limited, ${count(calls.failed)} failed`;
  const attemptsWords = `Attempts ${words}: ${count(attempts.succeeded)} succeeded, ${count(attempts.failed)} failed`;
  return (
    <SimpleGrid cols={{ base: 1, lg: 3 }}>
      <Section title="Calls">
        {calls.total === 0 ? (
          <None words={words} />
        ) : (
          <Chart summary={callsWords} at={at} series={series.calls} form="stacked" write={shortCount} choose={toCalls} />
        )}
      </Section>
      <Section title="Attempts to deliver">
        {attempts.total === 0 ? (
          <None words={words} />
        ) : (
          <Chart
            summary={attemptsWords}
            at={at}
            series={series.attempts}
            form="stacked"
            write={shortCount}
            choose={toDeliveries}
          />
        )}
      </Section>
      <Section title="Latency, p95">
        {calls.total + attempts.total === 0 ? (
          <None words={words} />
        ) : (
          <Chart
            summary={`95 of 100 calls took at most ${latencyOf(calls)}, and of attempts ${latencyOf(attempts)}, ${words}`}
            at={at}
            series={series.latency}
            form="lines"
            write={duration}
            choose={toDeliveries}
          />
        )}
      </Section>
    </SimpleGrid>
  );
}

const latencyOf = ({ latency_ms }: Pick<Overview['calls'], 'latency_ms'>) =>
  latency_ms ? duration(latency_ms.p95) : 'an unknown time';

function None({ words }: { words: string }) {
  return (
    <Text size="sm" c="dimmed">
      None {words}.
    </Text>
  );
}

type Drawn = Record<'calls' | 'attempts' | 'latency', Series[]>;

function seriesOf(calls: Overview['calls']['series'], attempts: Overview['attempts']['series']): Drawn {
  return {
    calls: [
      { label: 'succeeded', colour: 'teal.6', values: calls.map(({ succeeded }) => succeeded) },
      { label: 'refused', colour: 'gray.5', values: calls.map(({ refused }) => refused) },
      { label: 'limited', colour: 'yellow.6', values: calls.map(({ limited }) => limited) },
      { label: 'failed', colour: 'red.6', values: calls.map(({ failed }) => failed) },
    ],
    attempts: [
      { label: 'succeeded', colour: 'teal.6', values: attempts.map(({ succeeded }) => succeeded) },
      { label: 'failed', colour: 'red.6', values: attempts.map(({ failed }) => failed) },
    ],
    latency: [
      { label: 'calls', colour: 'blue.6', values: calls.map(({ p95_ms }) => p95_ms) },
      { label: 'attempts', colour: 'grape.6', values: attempts.map(({ p95_ms }) => p95_ms) },
    ],
  };
}
