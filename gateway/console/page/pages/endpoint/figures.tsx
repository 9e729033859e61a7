import { SimpleGrid } from '@mantine/core';
import { type EndpointFigures, type Period, periods } from '../../lib/figures.ts';
import { linkTo } from '../../lib/filters.ts';
import { percent, shortCount } from '../../lib/format.ts';
import { duration } from '../../lib/time.ts';
import { Figure } from '../../parts/figure.tsx';
import { text } from '../../texts/index.ts';
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
        label={text.endpoint.figures.successRate}
        value={percent(rate)}
        note={figures ? text.endpoint.figures.attempts(figures.attempts, words) : undefined}
        href={to({ since })}
        colour={rate !== null && rate < 0.9 ? 'red' : undefined}
      />
      <Figure
        label={text.endpoint.figures.latency}
        value={latency ? duration(latency.p95) : '–'}
        note={
          latency
            ? text.endpoint.figures.percentiles(duration(latency.p50), duration(latency.p99))
            : text.endpoint.figures.noResponses
        }
        href={to({ since })}
      />
      <Figure
        label={text.endpoint.figures.delivered}
        value={figure(figures?.delivered)}
        note={words}
        href={to({ since, status: 'delivered' })}
      />
      <Figure
        label={text.endpoint.figures.dead}
        value={figure(dead)}
        note={figures ? text.endpoint.figures.newlyDead(figures.dead, words) : undefined}
        href={to({ status: 'failed' })}
        colour={dead ? 'red' : undefined}
      />
      <Figure
        label={text.endpoint.figures.pending}
        value={figure(figures?.pending)}
        note={text.endpoint.figures.now}
        href={to({ status: 'pending' })}
      />
      <Figure
        label={text.endpoint.figures.inFlight}
        value={figure(figures?.in_flight)}
        note={text.endpoint.figures.now}
        href={to({ status: 'pending' })}
      />
    </SimpleGrid>
  );
}
