import { SimpleGrid } from '@mantine/core';
import { type EndpointFigures, type Period, periods } from '../../lib/figures.ts';
import { linkTo } from '../../lib/filters.ts';
import { count, percent, shortCount } from '../../lib/format.ts';
import { duration } from '../../lib/time.ts';
import { Figure } from '../../parts/figure.tsx';
import { useLedger } from './use-ledger.ts';

interface FiguresProps {
  id: string;
  figures: EndpointFigures | null;
  period: Period;
}

/** The endpoint's figures. Each links to the deliveries behind it. */
export function Figures({ id, figures, period }: FiguresProps) {
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
        label="Success rate"
        value={percent(rate)}
        note={figures ? `${count(figures.attempts)} attempts ${words}` : undefined}
        href={to({ since })}
        colour={rate !== null && rate < 0.9 ? 'red' : undefined}
      />
      <Figure
        label="Latency p95"
        value={latency ? duration(latency.p95) : '–'}
        note={latency ? `p50 ${duration(latency.p50)}, p99 ${duration(latency.p99)}` : 'no responses'}
        href={to({ since })}
      />
      <Figure label="Delivered" value={figure(figures?.delivered)} note={words} href={to({ since, status: 'delivered' })} />
      <Figure
        label="Dead letters"
        value={figure(dead)}
        note={figures ? `${count(figures.dead)} new ${words}` : undefined}
        href={to({ status: 'failed' })}
        colour={dead ? 'red' : undefined}
      />
      <Figure label="Pending" value={figure(figures?.pending)} note="now" href={to({ status: 'pending' })} />
      <Figure label="In flight" value={figure(figures?.in_flight)} note="now" href={to({ status: 'pending' })} />
    </SimpleGrid>
  );
}
