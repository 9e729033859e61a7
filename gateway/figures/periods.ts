/** A period of figures, divided into points of equal length. The last point is not over yet. */
export interface Points {
  name: PeriodName;
  /** Start of the first point, in milliseconds since 1970. */
  from: number;
  /** The time of the request. */
  to: number;
  end: number;
  stepMs: number;
  /** The length of the tallies' windows that make up a point, in milliseconds. */
  width: number;
  starts: number[];
}

const minuteMs = 60_000;

const periods = {
  hour: { points: 60, stepMs: minuteMs, width: minuteMs },
  day: { points: 144, stepMs: 10 * minuteMs, width: 10 * minuteMs },
  week: { points: 168, stepMs: 60 * minuteMs, width: 60 * minuteMs },
} as const;

export type PeriodName = keyof typeof periods;
export const periodNames = Object.keys(periods) as PeriodName[];

export function pointsOf(name: PeriodName, now: number): Points {
  const { points, stepMs, width } = periods[name];
  const from = startOf(now, stepMs) - (points - 1) * stepMs;
  const starts = Array.from({ length: points }, (_, index) => from + index * stepMs);
  return { name, from, to: now, end: from + points * stepMs, stepMs, width, starts };
}

const startOf = (atMs: number, stepMs: number): number => Math.floor(atMs / stepMs) * stepMs;

/** Returns one value for each point, made from the rows in it (possibly none). Ignores rows outside the period. */
export function fill<R extends { at: number }, P>(
  { starts, stepMs }: Pick<Points, 'starts' | 'stepMs'>,
  rows: readonly R[],
  pointOf: (at: number, rows: R[]) => P,
): P[] {
  const byStart = Map.groupBy(rows, ({ at }) => startOf(at, stepMs));
  return starts.map((at) => pointOf(at, byStart.get(at) ?? []));
}
