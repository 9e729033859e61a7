import type { Rows } from '../store/port.ts';
import { everyone, objective } from './tally.ts';

const minuteMs = 60_000;

/**
 * The windows of Google's SRE workbook (chapter 5): the long one shows that much of the month's budget is spent, the short one that
 * it still is. At 14.4 times the allowed rate, an hour spends 2 % of it. At 6 times, six hours spend 5 %.
 */
const windows = [
  { hours: 1, longMs: 60 * minuteMs, shortMs: 5 * minuteMs, rate: 14.4 },
  { hours: 6, longMs: 360 * minuteMs, shortMs: 30 * minuteMs, rate: 6 },
] as const;
const longestMs = Math.max(...windows.map(({ longMs }) => longMs));
/** If there are only a few attempts a day, a single late one is a large share. */
const leastLate = 10;

/** The number of first attempts that began late because of the gateway, and the number of all first attempts, in so many hours. */
export interface Burn {
  late: number;
  attempts: number;
  hours: number;
}

/** Returns how the budget of the objective is spent too fast; null if it is not. Reads the tallies of six hours. */
export async function readBurn(rows: Rows, now: number): Promise<Burn | null> {
  const from = Math.floor((now - longestMs) / minuteMs) * minuteMs;
  const where = { kind: 'first_attempt', width: minuteMs, subject: everyone, at: { gte: from } } as const;
  const minutes = await rows.summarize('tallies', { where, by: ['at', 'name'], sum: ['total'] });
  const within = (ms: number) => {
    const own = minutes.filter(({ at }) => at > now - ms - minuteMs).map(({ name, total }) => ({ name, count: Number(total) }));
    const countOf = (fits: (name: string) => boolean) => own.reduce((sum, { name, count }) => sum + (fits(name) ? count : 0), 0);
    const [late, attempts] = [countOf((name) => name === 'late'), countOf(() => true)];
    return { late, attempts, burns: attempts === 0 ? 0 : late / attempts / (1 - objective.share) };
  };
  for (const { hours, longMs, shortMs, rate } of windows) {
    const { late, attempts, burns } = within(longMs);
    if (late >= leastLate && burns >= rate && within(shortMs).burns >= rate) return { late, attempts, hours };
  }
  return null;
}
