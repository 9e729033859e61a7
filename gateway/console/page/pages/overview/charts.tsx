import { useCallback, useMemo } from 'react';
import { useLocation } from 'wouter';
import { type Overview, periods } from '../../lib/figures.ts';
import { linkTo } from '../../lib/filters.ts';
import { shortCount } from '../../lib/format.ts';
import { duration } from '../../lib/time.ts';
import { Chart, type Series } from '../../parts/chart.tsx';
import { Hint } from '../../parts/hint.tsx';
import { text } from '../../texts/index.ts';

interface ChartsProps {
  overview: Overview;
}

/** Calls over time by result. Selecting a range opens the list of its calls. */
export function CallsChart({ overview: { calls, period } }: ChartsProps) {
  const [, navigate] = useLocation();
  const { words } = periods[period.name];
  const { at, drawn } = useMemo(() => callChart(calls.series), [calls.series]);
  // The list of calls calls the end `until`, the list of deliveries `to`.
  const openList = useCallback((from: string, until: string) => navigate(linkTo('/calls', { from, until })), [navigate]);
  if (calls.total === 0) return <None>{text.overview.calls.none(words)}</None>;
  const { succeeded, refused, limited, failed } = calls;
  const summary = text.overview.calls.chart(words, succeeded, refused, limited, failed);
  return <Chart summary={summary} at={at} series={drawn} form="stacked" format={shortCount} onSelect={openList} />;
}

export function AttemptsChart({ overview: { attempts, period } }: ChartsProps) {
  const { words } = periods[period.name];
  const { at, drawn } = useMemo(() => attemptChart(attempts.series), [attempts.series]);
  const openList = useOpenDeliveries();
  if (attempts.total === 0) return <None>{text.overview.deliveries.none(words)}</None>;
  const summary = text.overview.deliveries.chart(words, attempts.succeeded, attempts.failed);
  return <Chart summary={summary} at={at} series={drawn} form="stacked" format={shortCount} onSelect={openList} />;
}

export function LatencyChart({ overview: { calls, attempts, period } }: ChartsProps) {
  const { words } = periods[period.name];
  const { at, drawn } = useMemo(() => latencyChart(calls.series, attempts.series), [calls.series, attempts.series]);
  const openList = useOpenDeliveries();
  if (calls.total + attempts.total === 0) return <None>{text.overview.latency.none(words)}</None>;
  const summary = text.overview.latency.chart(words, latencyOf(calls), latencyOf(attempts));
  return <Chart summary={summary} at={at} series={drawn} form="lines" format={duration} onSelect={openList} />;
}

function useOpenDeliveries() {
  const [, navigate] = useLocation();
  return useCallback((from: string, to: string) => navigate(linkTo('/deliveries', { from, to })), [navigate]);
}

const latencyOf = ({ latency_ms }: Pick<Overview['calls'], 'latency_ms'>) =>
  latency_ms ? duration(latency_ms.p95) : text.overview.latency.unknown;

const None = ({ children }: { children: string }) => <Hint>{children}</Hint>;

type Calls = Overview['calls']['series'];
type Attempts = Overview['attempts']['series'];
interface Drawn {
  at: string[];
  drawn: Series[];
}

const callChart = (points: Calls): Drawn => ({
  at: points.map(({ at }) => at),
  drawn: [
    { label: text.overview.calls.succeeded, colour: 'teal.6', values: points.map(({ succeeded }) => succeeded) },
    { label: text.overview.calls.refused, colour: 'gray.5', values: points.map(({ refused }) => refused) },
    { label: text.overview.calls.limited, colour: 'yellow.6', values: points.map(({ limited }) => limited) },
    { label: text.overview.calls.failed, colour: 'red.6', values: points.map(({ failed }) => failed) },
  ],
});

const attemptChart = (points: Attempts): Drawn => ({
  at: points.map(({ at }) => at),
  drawn: [
    { label: text.overview.deliveries.succeeded, colour: 'teal.6', values: points.map(({ succeeded }) => succeeded) },
    { label: text.overview.deliveries.failed, colour: 'red.6', values: points.map(({ failed }) => failed) },
  ],
});

const latencyChart = (calls: Calls, attempts: Attempts): Drawn => ({
  at: calls.map(({ at }) => at),
  drawn: [
    { label: text.overview.latency.calls, colour: 'gray.6', values: calls.map(({ p95_ms }) => p95_ms) },
    { label: text.overview.latency.attempts, colour: 'accent.5', values: attempts.map(({ p95_ms }) => p95_ms) },
  ],
});
