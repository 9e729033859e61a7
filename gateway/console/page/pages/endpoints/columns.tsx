import { Text } from '@mantine/core';
import { percent, shortCount } from '../../lib/format.ts';
import { duration } from '../../lib/time.ts';
import { EndpointStateCell } from '../../parts/endpoint/state.tsx';
import type { ListColumn } from '../../parts/list.tsx';
import { Sparkline } from '../../parts/sparkline.tsx';
import { TwoLines, Url } from '../../parts/two-lines.tsx';
import { text } from '../../texts/index.ts';
import type { EndpointRow } from './endpoint-row.ts';

function SuccessRate({ rate }: { rate: number | null }) {
  const colour = rate === null || rate >= 0.99 ? undefined : rate >= 0.9 ? 'yellow' : 'red';
  return (
    <Text component="span" inherit fw={colour ? 700 : undefined} className={colour && `ink-${colour}`}>
      {percent(rate)}
    </Text>
  );
}

const dimmedIfZero = (value: number | null | undefined) => (
  <Text component="span" inherit c={value ? undefined : 'dimmed'}>
    {value === null || value === undefined ? '–' : shortCount(value)}
  </Text>
);

/** Adds up pairs of one-minute counts: narrower bars would be hard to see. */
const sumPairs = (values: readonly number[]) =>
  values.flatMap((value, index) => (index % 2 === 0 ? [value + (values[index + 1] ?? 0)] : []));

export const columns: readonly ListColumn<EndpointRow>[] = [
  {
    header: text.endpoints.columns.endpoint,
    cell: ({ url, owner, service, description }) => (
      <TwoLines main={<Url of={url} />} more={[owner.name ?? owner.id, service, description].filter(Boolean).join(' · ')} />
    ),
  },
  { header: text.endpoints.columns.state, kind: 'long', cell: (endpoint) => <EndpointStateCell endpoint={endpoint} /> },
  {
    header: text.endpoints.columns.success,
    kind: 'number',
    cell: ({ figures }) => <SuccessRate rate={figures?.success_rate ?? null} />,
  },
  {
    header: text.endpoints.columns.latency,
    kind: 'figures',
    cell: ({ figures }) =>
      figures?.latency_ms ? `${duration(figures.latency_ms.p50)} / ${duration(figures.latency_ms.p95)}` : '–',
  },
  {
    header: text.endpoints.columns.pending,
    kind: 'number',
    cell: ({ figures }) => (
      <TwoLines
        main={dimmedIfZero(figures?.pending)}
        more={figures?.in_flight ? text.endpoints.inFlight(figures.in_flight) : null}
      />
    ),
  },
  { header: text.endpoints.columns.dead, kind: 'number', cell: ({ figures }) => dimmedIfZero(figures?.dead) },
  {
    header: text.endpoints.columns.lastHour,
    kind: 'chart',
    cell: ({ figures }) =>
      figures &&
      figures.attempts > 0 && (
        <Sparkline
          summary={text.endpoints.attempts(figures.succeeded, figures.failed)}
          succeeded={sumPairs(figures.series.map(({ succeeded }) => succeeded))}
          failed={sumPairs(figures.series.map(({ failed }) => failed))}
        />
      ),
  },
];
