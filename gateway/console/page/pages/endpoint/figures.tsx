import { SimpleGrid } from '@mantine/core';
import { type EndpointFigures, type Period, periods } from '../../lib/figures.ts';
import { linkTo } from '../../lib/filters.ts';
import { percent, shortCount } from '../../lib/format.ts';
import { duration } from '../../lib/time.ts';
import { Figure } from '../../parts/figure.tsx';
import { text } from '../../texts/index.ts';
import { useLedger } from './use-ledger.ts';

const says = text.endpoint.figures;

export function Figures({ id, figures, period }: { id: string; figures: EndpointFigures | null; period: Period }) {
  const { words, since } = periods[period];
  const to = (filters: Record<string, string>) => linkTo('/deliveries', { endpoint_id: id, ...filters });
  // From the ledger, which leaves out those that were recovered.
  const dead = useLedger(id).data?.deliveries.failed;
  const rate = figures?.success_rate ?? null;
  const latency = figures?.latency_ms ?? null;
  const figure = (value: number | null | undefined) => (value === null || value === undefined ? '–' : shortCount(value));
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="xs">
      <Figure
        label={says.successRate}
        value={percent(rate)}
        note={figures ? says.attempts(figures.attempts, words) : undefined}
        href={to({ since })}
        colour={rate !== null && rate < 0.9 ? 'red' : undefined}
      />
      <Figure
        label={says.latency}
        value={latency ? duration(latency.p95) : '–'}
        note={latency ? says.percentiles(duration(latency.p50), duration(latency.p99)) : says.noResponses}
        href={to({ since })}
      />
      <Figure label={says.delivered} value={figure(figures?.delivered)} note={words} href={to({ since, status: 'delivered' })} />
      <Figure
        label={says.dead}
        value={figure(dead)}
        note={figures ? says.newlyDead(figures.dead, words) : undefined}
        href={to({ status: 'failed' })}
        colour={dead ? 'red' : undefined}
      />
      <Figure label={says.pending} value={figure(figures?.pending)} note={says.now} href={to({ status: 'pending' })} />
      <Figure label={says.inFlight} value={figure(figures?.in_flight)} note={says.now} href={to({ status: 'pending' })} />
    </SimpleGrid>
  );
}
