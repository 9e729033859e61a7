import { SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Overview, periods } from '../../lib/figures.ts';
import { linkTo } from '../../lib/filters.ts';
import { count, percent, plural, shortCount } from '../../lib/format.ts';
import { imbalanceOf } from '../../lib/ledger.ts';
import { duration } from '../../lib/time.ts';
import { Figure } from '../../parts/figure.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { countUpTo } from './problems.ts';

interface FigureData {
  label: string;
  value: ReactNode;
  note?: ReactNode;
  href: string;
  colour?: string | undefined;
}

/** A row of figures. Each links to the list behind it, for the same period. */
function Row({ of: figures, wide = 4 }: { of: readonly FigureData[]; wide?: number }) {
  return (
    <SimpleGrid cols={{ base: 2, sm: 4, lg: wide }} spacing="xs">
      {figures.map((figure) => (
        <Figure key={figure.label} {...figure} />
      ))}
    </SimpleGrid>
  );
}

interface FiguresProps {
  overview: Overview;
}

export const CallFigures = ({ overview }: FiguresProps) => <Row of={callFigures(overview)} />;
export const DeliveryFigures = ({ overview }: FiguresProps) => <Row of={deliveryFigures(overview)} />;
export const NowFigures = ({ overview }: FiguresProps) => <Row of={nowFigures(overview)} wide={7} />;

const rateColour = (share: number | null) => (share !== null && share < 0.9 ? 'red' : undefined);

function callFigures({ calls, limits, period }: Overview): FigureData[] {
  const { since } = periods[period.name];
  const to = (filters: Record<string, string> = {}) => linkTo('/calls', { ...filters, since });
  return [
    {
      label: 'Calls',
      value: shortCount(calls.total),
      note: calls.by_api.map(({ api, total }) => `${api} ${shortCount(total)}`).join(', ') || 'none',
      href: to(),
    },
    {
      label: 'Succeeded',
      // A refused call did not succeed for its caller, although the gateway did not fail.
      value: percent(calls.total === 0 ? null : calls.succeeded / calls.total),
      note: `${shortCount(calls.failed)} failed, ${shortCount(calls.refused + calls.limited)} refused`,
      href: calls.failed > 0 ? to({ status: '5xx' }) : to({ status: '4xx' }),
      colour: rateColour(calls.success_rate),
    },
    {
      label: 'Latency p95',
      value: calls.latency_ms ? duration(calls.latency_ms.p95) : '–',
      note: calls.latency_ms ? `p50 ${duration(calls.latency_ms.p50)}` : 'no calls',
      href: to(),
    },
    {
      label: 'Rate limited',
      value: shortCount(calls.limited),
      note: plural(new Set(limits.top.map(({ caller }) => caller)).size, 'caller'),
      href: to({ limited: 'true' }),
      colour: calls.limited > 0 ? 'yellow' : undefined,
    },
  ];
}

function deliveryFigures({ attempts, deliveries, period }: Overview): FigureData[] {
  const { since } = periods[period.name];
  const to = (filters: Record<string, string> = {}) => linkTo('/deliveries', { ...filters, since });
  return [
    {
      label: 'Attempts',
      value: shortCount(attempts.total),
      note: `${shortCount(deliveries.delivered)} delivered`,
      href: to(),
    },
    {
      label: 'Success rate',
      value: percent(attempts.success_rate),
      note: `${shortCount(attempts.failed)} failed`,
      href: to(),
      colour: rateColour(attempts.success_rate),
    },
    {
      label: 'Latency p95',
      value: attempts.latency_ms ? duration(attempts.latency_ms.p95) : '–',
      note: attempts.latency_ms ? `p50 ${duration(attempts.latency_ms.p50)}` : 'no attempts',
      href: to(),
    },
    {
      label: 'Dead letters',
      value: countUpTo(deliveries.dead_letters, deliveries.counted_to),
      note: `${shortCount(deliveries.skipped)} skipped`,
      href: to({ status: 'failed' }),
      colour: deliveries.dead_letters > 0 ? 'red' : undefined,
    },
  ];
}

function nowFigures({ deliveries, queue, ledger, recorder, endpoints, verdict }: Overview): FigureData[] {
  const { pending, parked, due_late, counted_to } = deliveries;
  const href = linkTo('/deliveries', { status: 'pending' });
  return [
    { label: 'Pending', value: countUpTo(pending, counted_to), note: 'now', href },
    {
      label: 'Waiting in turn',
      value: countUpTo(parked, counted_to),
      note: 'now',
      href: linkTo('/deliveries', { status: 'pending', waits_for: 'turn' }),
    },
    {
      label: 'Late',
      value: countUpTo(due_late, counted_to),
      note: 'more than 30 s',
      href,
      colour: due_late > 0 ? 'yellow' : undefined,
    },
    {
      label: 'Queue jobs',
      value: queue ? shortCount(queue.waiting + queue.delayed + queue.active) : '–',
      note: queue ? `${count(queue.active)} active, ${count(queue.delayed)} delayed` : 'unknown',
      href,
    },
    {
      label: 'Endpoints',
      value: `${count(endpoints.well)} of ${count(endpoints.total)}`,
      note: `well, ${count(endpoints.held)} held, ${count(endpoints.disabled)} disabled`,
      href: endpoints.held > 0 ? linkTo('/endpoints', { state: 'held' }) : '/endpoints',
      colour: endpoints.well === endpoints.total ? undefined : verdict.state === 'error' ? 'red' : 'yellow',
    },
    {
      label: 'Ledger',
      value: ledger.balanced === null ? '–' : ledger.balanced ? 'Balanced' : 'Not balanced',
      note:
        ledger.as_of === null ? (
          'not audited yet'
        ) : (
          <span>
            {ledger.balanced === false && `${imbalanceOf(ledger)}; `}audited <RelativeTime at={ledger.as_of} />
          </span>
        ),
      href: '/events',
      colour: ledger.balanced === false ? 'red' : undefined,
    },
    {
      label: 'Recorder',
      value: `${shortCount(recorder.backlog)} to write`,
      note: `${count(recorder.lost)} lost`,
      href: '/calls',
      colour: recorder.lost > 0 ? 'red' : undefined,
    },
  ];
}
