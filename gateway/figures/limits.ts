import { firstIdAt } from '../base/ids.ts';
import type { Rows } from '../store/port.ts';
import { callersOf } from './callers.ts';
import { fill, type Points } from './periods.ts';
import { talliesIn } from './read.ts';

export interface LimitsInput {
  /** Only these callers, in this order. Default: all callers of the period, most refused first. */
  callers?: readonly string[];
  points: Points;
  /** Only callers that were refused, or used 80 % of a limit. */
  onlyNear: boolean;
  limit: number;
  /** The window of each known limit, in milliseconds. */
  windowsMs: ReadonlyMap<string, number>;
}

export type CallerLimits = Awaited<ReturnType<typeof readLimits>>['data'][number];

/** A caller that used this share of a limit is near it. In parts per thousand. */
const nearShare = 800;

/** Returns the callers of the period with their use of each limit, most refused first. */
export async function readLimits(rows: Rows, { points, onlyNear, limit, windowsMs, callers }: LimitsInput) {
  const { chosen, truncated } = callers
    ? { chosen: [...callers], truncated: false }
    : await chooseCallers(rows, points, { onlyNear, limit });
  const [tallies, states, known] = await Promise.all([
    rows.summarize('tallies', {
      where: talliesIn(points, 'limit', chosen),
      by: ['subject', 'name', 'at', 'share', 'limit_max'],
      sum: ['total', 'refused'],
    }),
    lastStates(rows, chosen, points),
    callersOf(rows, chosen),
  ]);
  const talliesOf = Map.groupBy(tallies, ({ subject }) => subject);
  const data = chosen.map((caller) => {
    const own = (talliesOf.get(caller) ?? []).map(asNumbers);
    const state = states.get(caller);
    const limits = [...Map.groupBy(own, ({ name }) => name)]
      .filter(([name]) => name !== '')
      .map(([name, found]) => ({
        ...measured(found),
        name,
        limit: Math.max(...found.map((one) => one.limit_max)),
        windowMs: windowsMs.get(name) ?? null,
        now: state?.name === name ? state : null,
      }));
    const all = measured(own);
    const near = all.peakShare * 1000 >= nearShare ? ('near' as const) : ('ok' as const);
    return {
      caller,
      ...known.get(caller),
      limits,
      ...all,
      state: all.refused > 0 ? ('over' as const) : near,
      series: fill(points, own, (at, found) => ({ at, ...measured(found) })),
    };
  });
  return { data, truncated };
}

interface Counted {
  name: string;
  at: number;
  share: number;
  limit_max: number;
  total: number;
  refused: number;
}

const asNumbers = (row: Omit<Counted, 'total' | 'refused'> & { total: string; refused: string }): Counted => ({
  ...row,
  total: Number(row.total),
  refused: Number(row.refused),
});

const measured = (rows: readonly Counted[]) => ({
  calls: rows.reduce((sum, { total }) => sum + total, 0),
  refused: rows.reduce((sum, { refused }) => sum + refused, 0),
  peakShare: rows.reduce((peak, { share }) => Math.max(peak, share), 0) / 1000,
});

async function chooseCallers(rows: Rows, points: Points, { onlyNear, limit }: Pick<LimitsInput, 'onlyNear' | 'limit'>) {
  const where = talliesIn(points, 'limit');
  const [groups, nearOnes] = await Promise.all([
    rows.summarize('tallies', { where, by: ['subject'], sum: ['total', 'refused'] }),
    onlyNear ? rows.summarize('tallies', { where: { ...where, share: { gte: nearShare } }, by: ['subject'] }) : [],
  ]);
  const near = new Set(nearOnes.map(({ subject }) => subject));
  const fitting = groups
    .filter(({ subject, refused }) => !onlyNear || near.has(subject) || Number(refused) > 0)
    .sort((a, b) => Number(b.refused) - Number(a.refused) || Number(b.total) - Number(a.total));
  return { chosen: fitting.slice(0, limit).map(({ subject }) => subject), truncated: fitting.length > limit };
}

interface StateNow {
  name: string;
  used: number;
  remaining: number;
  /** Null if the window has ended. */
  resetsAt: number | null;
}

/** Returns each caller's state in the limit that its last call of the period was closest to. */
async function lastStates(rows: Rows, callers: readonly string[], points: Points): Promise<Map<string, StateNow>> {
  const calls = await rows.newest('calls', {
    of: 'caller',
    by: 'id',
    values: callers,
    // A sign-in to the profile has the account as its caller, and a limit of its own.
    where: { id: { gte: firstIdAt('call', points.from) }, limit_state: { not: null }, api: { not: 'profile' } },
    columns: ['caller', 'at', 'duration_ms', 'limit_state'],
    limit: 1,
  });
  const states = calls.flatMap(({ caller, at, duration_ms, limit_state }): [string, StateNow][] => {
    if (caller === null || limit_state === null) return [];
    const { name, limit, remaining, resetSeconds } = limit_state;
    const endsAt = Math.round(at + duration_ms + resetSeconds * 1000);
    const open = endsAt > points.to;
    return [
      [caller, { name, used: open ? limit - remaining : 0, remaining: open ? remaining : limit, resetsAt: open ? endsAt : null }],
    ];
  });
  return new Map(states);
}
