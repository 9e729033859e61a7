import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Backlog, Run } from './measure.ts';

export interface Report {
  /** The day on which each part was measured. */
  days: Record<string, string>;
  node: string;
  cores: number;
  model: string;
  parts: Record<string, Record<string, Run[]>>;
  backlog?: Backlog;
}

type Figure = (run: Run) => number;
const sum = ({ sender, postgresql, redis }: Run['cpuUs']) => sender + postgresql + redis;

/** The columns of each part: a heading, the figure, and its digits after the point. */
const pace: [string, Figure, number] = ['deliveries/s', (run) => run.perSecond, 0];
const latency: [string, Figure, number][] = [
  ['commit to first send, p50 ms', (run) => run.commitToSend.p50, 1],
  ['p99', (run) => run.commitToSend.p99, 1],
  ['commit to receipt, p50 ms', (run) => run.commitToReceipt.p50, 1],
  ['p99', (run) => run.commitToReceipt.p99, 1],
  ['p99.9', (run) => run.commitToReceipt.p999, 1],
  ['due to receipt, p99.9 ms', (run) => run.dueToReceipt.p999, 1],
];
const cpu: [string, Figure, number] = ['CPU, µs each', (run) => sum(run.cpuUs), 0];
const columns: Record<string, [string, Figure, number][]> = {
  cost: [
    pace,
    cpu,
    ['sender', (run) => run.cpuUs.sender, 0],
    ['PostgreSQL', (run) => run.cpuUs.postgresql, 0],
    ['Redis', (run) => run.cpuUs.redis, 0],
    ['WAL, bytes', (run) => run.walBytes, 0],
    ['commands of Redis', (run) => run.redisCommands, 1],
    ['memory, MB', (run) => run.memoryMb, 0],
  ],
  load: [pace, ...latency],
  idle: latency,
  layouts: [pace, cpu],
  trouble: [pace, ...latency],
};

const titles: Record<string, string> = {
  cost: 'As fast as possible, ten endpoints, each event goes to all',
  load: 'Each event at its time, at a share of the pace above',
  idle: 'Idle: ten events a second, one endpoint',
  layouts: 'The gateway with other endpoints',
  trouble: 'The gateway at half of its pace, with receivers in trouble',
};

const sorted = (runs: readonly Run[], figure: Figure) => runs.map(figure).sort((a, b) => a - b);

/** The median, with the lowest and the highest of the runs. */
function cell(runs: readonly Run[], figure: Figure, digits: number): string {
  const all = sorted(runs, figure);
  const [low, middle, high] = [all[0], all[Math.floor(all.length / 2)], all.at(-1)].map((one) =>
    (one ?? Number.NaN).toFixed(digits),
  );
  return low === high ? `${middle}` : `${middle} (${low} to ${high})`;
}

function table(part: string, found: Record<string, Run[]>): string {
  const shown = columns[part] ?? [];
  return [
    `| | ${shown.map(([heading]) => heading).join(' | ')} |`,
    `|---|${shown.map(() => '---:|').join('')}`,
    ...Object.entries(found).map(
      ([name, runs]) => `| ${name} | ${shown.map(([, figure, digits]) => cell(runs, figure, digits)).join(' | ')} |`,
    ),
  ].join('\n');
}

/** Draws the CPU of a delivery as a bar of three parts for each variant. */
function drawCost(found: Record<string, Run[]>): string {
  const bars = Object.entries(found).map(([name, runs]) => ({
    name,
    parts: (['sender', 'postgresql', 'redis'] as const).map(
      (part) => sorted(runs, (run) => run.cpuUs[part])[Math.floor(runs.length / 2)] ?? 0,
    ),
  }));
  const most = Math.max(...bars.map(({ parts }) => parts.reduce((total, part) => total + part, 0)));
  const colours = ['#0b66c3', '#15803d', '#c2410c'];
  const rows = bars.flatMap(({ name, parts }, row) => {
    const y = 40 + row * 28;
    let x = 190;
    const drawn = parts.map((part, index) => {
      const width = (part / most) * 480;
      const bar = `<rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="18" fill="${colours[index]}"/>`;
      x += width;
      return bar;
    });
    const total = parts.reduce((all, part) => all + part, 0).toFixed(0);
    return [
      `<text x="180" y="${y + 14}" text-anchor="end">${name}</text>`,
      ...drawn,
      `<text x="${x + 6}" y="${y + 14}">${total}</text>`,
    ];
  });
  const keys = ['sender', 'PostgreSQL', 'Redis'].map(
    (name, index) => `<text x="${190 + index * 110}" y="20" fill="${colours[index]}">${name}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 740 ${50 + bars.length * 28}" font-family="system-ui, sans-serif" font-size="13">`,
    '<rect width="740" height="100%" fill="#fff"/>',
    ...keys,
    ...rows,
    '</svg>\n',
  ].join('\n');
}

function backlogLines({ owed, seconds, perSecond, fresh }: Backlog, day = ''): string[] {
  const ms = (quantiles: Backlog['fresh']['before']) => `${quantiles.p50.toFixed(1)} / ${quantiles.p99.toFixed(1)}`;
  return [
    '## A backlog after an outage',
    `Measured on ${day}.`,
    `Ten endpoints refused everything until ${owed.toLocaleString('en')} deliveries were owed. After that the first arrived within ${seconds.untilFirst.toFixed(1)} s, and the last ${seconds.untilEmpty.toFixed(0)} s after the end of the outage: ${perSecond.toFixed(0)} deliveries a second. Fresh events at another endpoint, p50 / p99 from commit to receipt: ${ms(fresh.before)} ms before, ${ms(fresh.meanwhile)} ms meanwhile.`,
  ];
}

/** Writes the page and its picture. */
export function writePage(folder: string, report: Report): void {
  const { days, node, cores, model, parts, backlog } = report;
  if (parts.cost) writeFileSync(join(folder, 'cost.svg'), drawCost(parts.cost));
  const sections = Object.entries(parts).flatMap(([part, found]) => [
    `## ${titles[part]}`,
    `Measured on ${days[part]}.`,
    table(part, found),
    ...(part === 'cost' ? ['![CPU of a delivery by process, in microseconds](cost.svg)'] : []),
  ]);
  const page = [
    '# What a delivery costs',
    `Written by \`npm run bench:report\` with Node ${node}, on ${cores} cores (${model}) that all processes shared. \`report.json\` has each run. Medians, with the lowest and the highest run. [The aims](../aims.md) that are missed, and why.`,
    'PostgreSQL and Redis have the settings of a careful operator: `fsync` and `synchronous_commit` on, the append-only file synced each second. **bare** signs and POSTs what its job queue has. **least** also stores each delivery before and each attempt after, and no more. Every run ended with each delivery accepted exactly once.',
    ...sections,
    ...(backlog ? backlogLines(backlog, days.backlog) : []),
  ];
  writeFileSync(join(folder, 'page.md'), `${page.join('\n\n')}\n`);
}
