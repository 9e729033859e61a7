import { type Column, column, integer, table, text, time } from './columns.ts';

/** Upper bounds of a tally's latency columns, in milliseconds. Longer latencies count in the last column. */
export const latencyBoundsMs = [1, 2, 4, 8, 15, 30, 60, 125, 250, 500, 1000, 2000, 4000, 8000, 15_000, 30_000] as const;
export type LatencyColumn = `ms_${(typeof latencyBoundsMs)[number]}`;
export const latencyColumns = latencyBoundsMs.map((bound): LatencyColumn => `ms_${bound}`);
const latency = Object.fromEntries(latencyColumns.map((name) => [name, integer])) as Record<LatencyColumn, Column<number>>;

/** The kinds of tallies, with their subjects and names. */
export type TallyKind =
  /** Subject: an API. Name: `succeeded`, `refused`, `limited` or `failed`. */
  | 'call'
  /** Subject: an endpoint, or `*` for all. Name: the attempt's outcome. */
  | 'attempt'
  /** Subject: an endpoint, or `*` for all. Name: the status in which the delivery ended. */
  | 'delivery'
  /** Subject: `*`. Name: `stored`. */
  | 'event'
  /** Subject: a caller. Name: the limit with the smallest remaining share, or '' without one. */
  | 'limit';

/** Counts per window of time (`figures/tally.ts`). Figures over time read these few rows instead of the calls. */
export const figureTables = {
  tallies: table({
    columns: {
      kind: column<TallyKind>('text'),
      /** The window's length in milliseconds. */
      width: integer,
      /** The window's start. */
      at: time,
      subject: text,
      name: text,
      total: integer,
      refused: integer,
      /** The largest share of a limit that was used, in parts per thousand. */
      share: integer,
      /** The largest limit that applied. */
      limit_max: integer,
      ...latency,
    },
    key: ['kind', 'width', 'at', 'subject', 'name'],
    greatest: ['share', 'limit_max'],
    indexes: [['width', 'at'], ['subject', 'width', 'at'], { on: ['width', 'at'], where: 'refused > 0' }],
  }),
} as const;
