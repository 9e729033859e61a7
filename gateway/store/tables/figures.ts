import { column, decimal, integer, table, text, time } from './columns.ts';

/** The kinds of tallies, with their subjects and names. */
export const tallyKinds = [
  /** Subject: an API. Name: `succeeded`, `refused`, `limited` or `failed`. */
  'call',
  /** Subject: an endpoint, or `*` for all. Name: the attempt's outcome. */
  'attempt',
  /** Subject: an endpoint, or `*` for all. Name: the status in which the delivery ended. */
  'delivery',
  /** Subject: `*`. Name: `stored`. */
  'event',
  /** Subject: a caller. Name: the limit with the smallest remaining share, or '' without one. */
  'limit',
  /** Subject: `*`. Name: `lost`, for calls that were not recorded. */
  'record',
  /** Subject: `*`. Name: `overloaded`, for calls that were refused because more came than could be handled. */
  'refusal',
] as const;
export type TallyKind = (typeof tallyKinds)[number];

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
      /** Counts by class of latency, as one number that adds up (`figures/latency.ts`). */
      latency: decimal,
    },
    key: ['kind', 'width', 'at', 'subject', 'name'],
    greatest: ['share', 'limit_max'],
    indexes: [['width', 'at'], ['subject', 'width', 'at'], { on: ['width', 'at'], where: 'refused > 0' }],
  }),
} as const;
