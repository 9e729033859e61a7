import type { Sample } from './samples.ts';

/** Charts from top to bottom: a title, and the series whose names match. */
const charts: readonly { title: string; series: RegExp; log?: boolean }[] = [
  { title: 'Memory of each process, MB', series: /^memory of/ },
  { title: 'Open descriptors of each process', series: /^descriptors of/ },
  { title: 'Oldest acknowledged sale not yet accepted, seconds (logarithmic)', series: /^oldest owed/, log: true },
  { title: 'Call duration, ms (logarithmic)', series: /^call p/, log: true },
  { title: 'Deliveries pending', series: /^deliveries pending/ },
  { title: 'Accepted again (duplicates so far)', series: /^accepted again/ },
  { title: 'Missing from the ledger, and failed', series: /^(unaccounted|deliveries failed)/ },
  { title: 'Database and Redis, MB', series: /^(database|Redis), MB/ },
  { title: 'Rows, live and dead', series: /^(live|dead) rows/ },
];

export interface CausedFault {
  name: string;
  fromSeconds: number;
  toSeconds: number;
}

const [width, height, left, right, top] = [1200, 130, 70, 240, 40];
const colours = ['#0b66c3', '#c2410c', '#15803d', '#7e22ce', '#a16207', '#be185d'];
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Draws the samples as one SVG: a chart for each group of series above the same time axis, faults as grey bands. */
export function drawSoak(title: string, samples: readonly Sample[], faults: readonly CausedFault[]): string {
  const last = Math.max(1, samples.at(-1)?.atSeconds ?? 1);
  const x = (seconds: number) => left + (seconds / last) * (width - left - right);
  const total = top + charts.length * (height + 50) + 30;
  const drawn = charts.map((chart, index) => drawChart(chart, samples, faults, { x, y: top + 30 + index * (height + 50) }));
  const hours = Array.from({ length: 5 }, (_, index) => (index * last) / 4);
  const axis = hours.map(
    (at) => `<text x="${x(at)}" y="${total - 10}" text-anchor="middle">${(at / 60).toFixed(at < 600 ? 1 : 0)} min</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${total}" font-family="system-ui, sans-serif" font-size="12">`,
    `<rect width="${width}" height="${total}" fill="#fff"/>`,
    `<text x="${left}" y="24" font-size="16" font-weight="600">${escaped(title)}</text>`,
    ...drawn,
    ...axis,
    '</svg>\n',
  ].join('\n');
}

function drawChart(
  { title, series, log = false }: (typeof charts)[number],
  samples: readonly Sample[],
  faults: readonly CausedFault[],
  { x, y }: { x(seconds: number): number; y: number },
): string {
  const names = [...new Set(samples.flatMap(({ values }) => Object.keys(values)))].filter((name) => series.test(name)).sort();
  const scale = (value: number) => (log ? Math.log10(1 + value) : value);
  const values = samples.flatMap((sample) => names.map((name) => sample.values[name] ?? 0));
  const most = values.reduce((highest, value) => Math.max(highest, value), 0) || 1;
  const at = (value: number) => y + height - (scale(value) / scale(most)) * height;
  const bands = faults.map(({ name, fromSeconds, toSeconds }) => {
    const wide = Math.max(1, x(toSeconds) - x(fromSeconds)).toFixed(1);
    return `<rect x="${x(fromSeconds).toFixed(1)}" y="${y}" width="${wide}" height="${height}" fill="#e5e7eb"><title>${escaped(name)}</title></rect>`;
  });
  const lines = names.map((name, index) => {
    const colour = colours[index % colours.length];
    const points = samples.flatMap(({ atSeconds, values: { [name]: value } }) =>
      value === undefined ? [] : [`${x(atSeconds).toFixed(1)},${at(value).toFixed(1)}`],
    );
    const label = `<text x="${width - right + 8}" y="${y + 12 + index * 15}" fill="${colour}">${escaped(name)}</text>`;
    return `<polyline fill="none" stroke="${colour}" stroke-width="1.2" points="${points.join(' ')}"/>${label}`;
  });
  return [
    `<text x="${left}" y="${y - 8}" font-weight="600">${escaped(title)}</text>`,
    ...bands,
    `<line x1="${left}" y1="${y + height}" x2="${width - right}" y2="${y + height}" stroke="#6b7280"/>`,
    `<text x="${left - 6}" y="${y + 10}" text-anchor="end">${most >= 100 ? most.toFixed(0) : most.toPrecision(2)}</text>`,
    `<text x="${left - 6}" y="${y + height}" text-anchor="end">0</text>`,
    ...lines,
  ].join('\n');
}
