import { SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Overview, periods } from '../../lib/figures.ts';
import { linkTo } from '../../lib/filters.ts';
import { percent, shortCount } from '../../lib/format.ts';
import { imbalanceOf } from '../../lib/ledger.ts';
import { duration } from '../../lib/time.ts';
import { Figure } from '../../parts/figure.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { text } from '../../texts/index.ts';
import { countUpTo } from './problems.ts';

interface FigureData {
  label: string;
  value: ReactNode;
  note?: ReactNode;
  href: string;
  colour?: string | undefined;
}

/** A row of figures. Each links to the list behind it, for the same period. */
const Row = ({ of: figures, wide = 4 }: { of: readonly FigureData[]; wide?: number }) => (
  <SimpleGrid cols={{ base: 2, sm: 4, lg: wide }} spacing="xs">
    {figures.map((figure) => (
      <Figure key={figure.label} {...figure} />
    ))}
  </SimpleGrid>
);

interface FiguresProps {
  overview: Overview;
}

export const CallFigures = ({ overview }: FiguresProps) => <Row of={callFigures(overview)} />;
export const DeliveryFigures = ({ overview }: FiguresProps) => <Row of={deliveryFigures(overview)} />;
export const NowFigures = ({ overview }: FiguresProps) => <Row of={nowFigures(overview)} wide={7} />;

/** A figure that the verdict speaks of has its colour, so that no red rate stands under “All is well”. */
const colours = { error: 'red', warning: 'yellow', ok: undefined } as const;

const rateColour = (share: number | null, { state }: Overview['verdict']) =>
  share !== null && share < 0.9 ? colours[state] : undefined;

function callFigures({ calls, limits, period, verdict }: Overview): FigureData[] {
  const says = text.overview.calls;
  const { since } = periods[period.name];
  const to = (filters: Record<string, string> = {}) => linkTo('/calls', { ...filters, since });
  return [
    {
      label: says.total,
      value: shortCount(calls.total),
      note: calls.by_api.map(({ api, total }) => `${api} ${shortCount(total)}`).join(', ') || says.noneByApi,
      href: to(),
    },
    {
      label: says.rate,
      // A refused call did not succeed for its caller, although the gateway did not fail.
      value: percent(calls.total === 0 ? null : calls.succeeded / calls.total),
      note: says.failedAndRefused(calls.failed, calls.refused + calls.limited),
      href: calls.failed > 0 ? to({ status: '5xx' }) : to({ status: '4xx' }),
      colour: rateColour(calls.success_rate, verdict),
    },
    {
      label: says.latency,
      value: calls.latency_ms ? duration(calls.latency_ms.p95) : '–',
      note: calls.latency_ms ? `p50 ${duration(calls.latency_ms.p50)}` : says.noLatency,
      href: to(),
    },
    {
      label: says.rateLimited,
      value: shortCount(calls.limited),
      note: says.callers(new Set(limits.top.map(({ caller }) => caller)).size),
      href: to({ limited: 'true' }),
      colour: calls.limited > 0 ? 'yellow' : undefined,
    },
  ];
}

function deliveryFigures({ attempts, deliveries, period, verdict }: Overview): FigureData[] {
  const says = text.overview.deliveries;
  const { since } = periods[period.name];
  const to = (filters: Record<string, string> = {}) => linkTo('/deliveries', { ...filters, since });
  return [
    {
      label: says.attempts,
      value: shortCount(attempts.total),
      note: says.delivered(deliveries.delivered),
      href: to(),
    },
    {
      label: says.rate,
      value: percent(attempts.success_rate),
      note: says.failedAttempts(attempts.failed),
      href: to(),
      colour: rateColour(attempts.success_rate, verdict),
    },
    {
      label: says.latency,
      value: attempts.latency_ms ? duration(attempts.latency_ms.p95) : '–',
      note: attempts.latency_ms ? `p50 ${duration(attempts.latency_ms.p50)}` : says.noLatency,
      href: to(),
    },
    {
      label: says.deadLetters,
      value: countUpTo(deliveries.dead_letters, deliveries.counted_to),
      note: says.skipped(deliveries.skipped),
      href: to({ status: 'failed' }),
      colour: deliveries.dead_letters > 0 ? 'red' : undefined,
    },
  ];
}

function nowFigures({ deliveries, queue, ledger, recorder, endpoints, verdict }: Overview): FigureData[] {
  const says = text.overview.now;
  const { pending, parked, due_late, counted_to } = deliveries;
  const href = linkTo('/deliveries', { status: 'pending' });
  return [
    { label: says.pending, value: countUpTo(pending, counted_to), note: says.now, href },
    {
      label: says.inTurn,
      value: countUpTo(parked, counted_to),
      note: says.now,
      href: linkTo('/deliveries', { status: 'pending', waits_for: 'turn' }),
    },
    {
      label: says.late,
      value: countUpTo(due_late, counted_to),
      note: says.lateAfter,
      href,
      colour: due_late > 0 ? 'yellow' : undefined,
    },
    {
      label: says.queue,
      value: queue ? shortCount(queue.waiting + queue.delayed + queue.active) : '–',
      note: queue ? says.queueJobs(queue.active, queue.delayed) : says.queueUnknown,
      href,
    },
    {
      label: says.endpoints,
      value: says.wellOf(endpoints.well, endpoints.total),
      note: says.otherStates(endpoints),
      href: endpoints.held > 0 ? linkTo('/endpoints', { state: 'held' }) : '/endpoints',
      colour: endpoints.well === endpoints.total ? undefined : colours[verdict.state],
    },
    {
      label: says.ledger,
      value: ledger.balanced === null ? '–' : ledger.balanced ? says.balanced : says.unbalanced,
      note: <span>{auditOf(ledger)}</span>,
      href: '/events',
      colour: ledger.balanced === false ? 'red' : undefined,
    },
    {
      label: says.recorder,
      value: says.toWrite(recorder.backlog),
      note: says.lost(recorder.lost),
      href: '/calls',
      colour: recorder.lost > 0 ? 'red' : undefined,
    },
  ];
}

function auditOf(ledger: Overview['ledger']): ReactNode {
  const says = text.overview.now;
  if (ledger.as_of === null) return says.notAudited;
  const at = <RelativeTime at={ledger.as_of} />;
  return ledger.balanced === false ? says.auditedUnbalanced(imbalanceOf(ledger), at) : says.audited(at);
}
