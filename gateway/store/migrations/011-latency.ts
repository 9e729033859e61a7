import { type Kysely, sql } from 'kysely';

/**
 * Latencies in finer classes, as one number for each tally (`figures/latency.ts`). Processes of the old version go on
 * writing their 16 columns, so these stay, with a default. A later version drops them.
 */
export const latency = {
  async up(db: Kysely<unknown>): Promise<void> {
    const run = (statement: string) => sql.raw(statement).execute(db);
    const defaults = boundsMs.map((bound) => `alter column ms_${bound} set default 0`);
    await run(`alter table passerelle.tallies add column latency numeric not null default 0, ${defaults.join(', ')}`);
    await run(`update passerelle.tallies set latency = ${oldCounts} where ${isShown(Date.now())} and ${oldCounts} > 0`);
  },
};

/** The bounds of the old classes. A latency of the last class may have been longer. */
const boundsMs = [1, 2, 4, 8, 15, 30, 60, 125, 250, 500, 1000, 2000, 4000, 8000, 15_000, 30_000];

/** The new class of what an old class held: that of the middle between its bounds. */
const classOf = (index: number): number => {
  const [lower, upper] = [boundsMs[index - 1] ?? 0.5, boundsMs[index] as number];
  return Math.ceil(Math.log(Math.sqrt(lower * upper) / 0.1) / Math.log(1.1));
};
const oldCounts = `(${boundsMs.map((bound, index) => `ms_${bound} * 1e${classOf(index) * 12}::numeric`).join(' + ')})`;

/** Only windows that a period of figures still reads are converted: an hour of minutes, a day of ten minutes, a week of hours. */
const isShown = (nowMs: number): string => {
  const windows = [
    { width: 60_000, shownMs: 3_600_000 },
    { width: 600_000, shownMs: 24 * 3_600_000 },
    { width: 3_600_000, shownMs: 7 * 24 * 3_600_000 },
  ];
  return `(${windows.map(({ width, shownMs }) => `width = ${width} and at >= ${nowMs - shownMs - width}`).join(' or ')})`;
};
