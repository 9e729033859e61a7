import 'uplot/dist/uPlot.min.css';
import { Group, useComputedColorScheme } from '@mantine/core';
import { useMergedRef, useResizeObserver } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import { axisLabels, shortTime } from '../lib/time.ts';
import { useZone, type Zone } from '../lib/zone.ts';

export interface Series {
  label: string;
  /** A colour of the theme, such as `teal.6`. */
  colour: string;
  values: readonly (number | null)[];
  /** The value of the whole time, if it is not the sum. */
  total?: number | undefined;
}

interface ChartProps {
  /** A sentence that says what the chart shows, for screen readers. */
  summary: string;
  /** The start of each window, in ISO 8601. */
  at: readonly string[];
  series: readonly Series[];
  /** `stacked` draws bars on top of each other, such as counts by outcome. `lines` draws each series as a line. */
  form: 'stacked' | 'lines';
  format(value: number): string;
  height?: number;
  /** Called with the time range that was dragged over, or with the window that was clicked. */
  onSelect?: (from: string, to: string) => void;
}

/** Figures over time, drawn on a canvas: thousands of points stay fast while they change. */
export function Chart({ summary, at, series, form, format, height = 180, onSelect }: ChartProps) {
  const [sized, { width }] = useResizeObserver<HTMLDivElement>();
  const [host, setHost] = useState<HTMLDivElement | null>(null);
  const ref = useMergedRef(sized, setHost);
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const plot = useRef<uPlot | null>(null);
  const zone = useZone();
  const shape = [form, scheme, height, zone, ...series.map(({ label }) => label)].join();
  const [under, setUnder] = useState<number | null>(null);
  const latest = useRef({ at, series, format, onSelect });
  latest.current = { at, series, format, onSelect };

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of `shape` needs a new plot. Values are set below.
  useEffect(() => {
    if (!host || width === 0) return;
    const made = new uPlot(optionsOf({ latest, form, width, height, zone, host, setUnder }), dataOf(at, series, form), host);
    plot.current = made;
    return () => {
      made.destroy();
      plot.current = null;
    };
  }, [shape, host, width === 0]);
  useEffect(() => plot.current?.setSize({ width: Math.max(width, 50), height }), [width, height]);
  useEffect(() => plot.current?.setData(dataOf(at, series, form)), [at, series, form]);

  return (
    <div>
      <div className="chart" ref={ref} role="img" aria-label={summary} />
      <Legend at={at} series={series} form={form} format={format} under={under} />
    </div>
  );
}

/** The names of the series with their totals, or with the values of the window under the pointer. */
function Legend({ at, series, form, format, under }: Omit<ChartProps, 'summary'> & { under: number | null }) {
  const zone = useZone();
  const start = under === null ? undefined : at[under];
  const totalOf = ({ total, values }: Series) =>
    form === 'stacked' ? values.reduce<number>((sum, value) => sum + (value ?? 0), 0) : total;
  return (
    <Group gap="4px 16px" className="legend">
      {series.map((one) => {
        const value = start === undefined ? totalOf(one) : one.values[under ?? -1];
        return (
          <span key={one.label}>
            <i style={{ background: `var(--mantine-color-${one.colour.replace('.', '-')})` }} />
            {one.label} {typeof value === 'number' && <b data-kind="number">{format(value)}</b>}
          </span>
        );
      })}
      {start !== undefined && <time dateTime={start}>{shortTime(start, zone)}</time>}
    </Group>
  );
}

/** A stacked series is the sum of its own values and those below it. The largest is drawn first, behind the others. */
function dataOf(at: ChartProps['at'], series: readonly Series[], form: ChartProps['form']): uPlot.AlignedData {
  const seconds = at.map((instant) => Date.parse(instant) / 1000);
  if (form === 'lines') return [seconds, ...series.map(({ values }) => [...values])];
  const sums: number[][] = [];
  for (const { values } of series) {
    const below = sums.at(-1);
    sums.push(values.map((value, index) => (value ?? 0) + (below?.[index] ?? 0)));
  }
  return [seconds, ...sums.reverse()];
}

interface Drawing {
  latest: { current: Pick<ChartProps, 'at' | 'series' | 'format' | 'onSelect'> };
  form: ChartProps['form'];
  width: number;
  height: number;
  zone: Zone;
  host: HTMLElement;
  /** Called with the index of the window under the pointer. */
  setUnder(index: number | null): void;
}

function optionsOf({ latest, form, width, height, zone, host, setUnder }: Drawing): uPlot.Options {
  const style = getComputedStyle(host);
  const colour = (name: string) => style.getPropertyValue(`--mantine-color-${name.replace('.', '-')}`).trim() || '#888';
  const axis = {
    stroke: colour('dimmed'),
    grid: { show: false },
    ticks: { show: false },
    font: `11px ${style.fontFamily}`,
  };
  const { series } = latest.current;
  const drawn = form === 'stacked' ? series.toReversed() : series;
  const bars = uPlot.paths.bars?.({ size: [0.8, 40], align: 1 });
  return {
    width,
    height,
    tzDate: (seconds) => (zone === 'utc' ? uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC') : new Date(seconds * 1000)),
    cursor: { drag: { x: true, y: false, setScale: false }, points: { show: form === 'lines' } },
    select: { show: true, left: 0, top: 0, width: 0, height: 0 },
    scales: {
      x: { range: (_plot, first, last) => [first ?? 0, (last ?? 1) + stepOf(latest.current.at)] },
      y: { range: (_plot, _low, high) => [0, Math.max(high ?? 0, 1) * 1.1] },
    },
    axes: [
      { ...axis, values: (_plot, instants, _axis, _space, step) => axisLabels(instants, step, zone) },
      {
        ...axis,
        size: 56,
        grid: { stroke: colour('default-border'), width: 1 },
        values: (_plot, values) => values.map((value) => latest.current.format(value)),
      },
    ],
    legend: { show: false },
    series: [
      {},
      ...drawn.map(({ colour: name }) => ({
        stroke: colour(name),
        width: form === 'stacked' ? 0 : 1.5,
        ...(form === 'stacked'
          ? { fill: colour(name), ...(bars ? { paths: bars } : {}), points: { show: false } }
          : { spanGaps: false, points: { show: false } }),
      })),
    ],
    hooks: {
      setSelect: [(made) => reportSelection(made, latest.current)],
      setCursor: [({ cursor }) => setUnder(cursor.idx ?? null)],
    },
  };
}

/** The length of a window in seconds, by which the last bar extends the axis. */
function stepOf(at: ChartProps['at']): number {
  const [first, second] = at;
  return first !== undefined && second !== undefined ? (Date.parse(second) - Date.parse(first)) / 1000 : 1;
}

/** Calls `onSelect` with the range of the drag. A click selects one window. */
function reportSelection(plot: uPlot, { at, onSelect }: Pick<ChartProps, 'at' | 'onSelect'>): void {
  if (!onSelect || at.length < 2) return;
  const stepMs = Date.parse(at[1] as string) - Date.parse(at[0] as string);
  const { left, width } = plot.select;
  const first = Date.parse(at[plot.posToIdx(left)] as string);
  const last = Date.parse(at[plot.posToIdx(left + width)] as string);
  if (Number.isNaN(first) || Number.isNaN(last)) return;
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  onSelect(new Date(first).toISOString(), new Date(Math.max(first, last) + stepMs).toISOString());
}
