import { type LatencyColumn, latencyBoundsMs, latencyColumns, type Row } from './store/tables.ts';

/** The windows that are kept: their length, and for how long, in milliseconds. Each is a multiple of the one before. */
export const tallyWidths = [
  { width: 60_000, keptMs: 25 * 3_600_000 },
  { width: 600_000, keptMs: 49 * 3_600_000 },
  { width: 3_600_000, keptMs: 8 * 24 * 3_600_000 },
] as const;

/** What is tallied, with the subjects and names that it has. */
export type TallyKind =
  /** An API; `succeeded`, `refused`, `limited` or `failed`. */
  | 'call'
  /** An endpoint; `success` or the class of the error (`webhooks/outcome.ts`). */
  | 'attempt'
  /** An endpoint; the status in which the delivery ended. */
  | 'delivery'
  /** A caller; the limit that was nearest to its end, or nothing where there is none. */
  | 'limit';

/** The subject of the sum over all endpoints. */
export const everyone = '*';

/** One thing that came in. */
interface Tallied {
  kind: TallyKind;
  subject: string;
  name: string;
  atMs: number;
  total?: number;
  refused?: number;
  share?: number;
  limit_max?: number;
  latencyMs?: number;
}

type Tally = Row<'tallies'>;

const noLatency = Object.fromEntries(latencyColumns.map((column) => [column, 0])) as Record<LatencyColumn, number>;
const summed = ['total', 'refused', ...latencyColumns] as const;

/** The column that a latency counts in. */
export function latencyColumnOf(latencyMs: number): LatencyColumn {
  const index = latencyBoundsMs.findIndex((bound) => latencyMs <= bound);
  return latencyColumns.at(index) as LatencyColumn;
}

/** The rows to tally: each key once, in each width. */
function rowsOf(entries: readonly Tallied[]): Tally[] {
  const [first, ...wider] = tallyWidths;
  let rows = new Map<string, Tally>();
  for (const entry of entries) {
    const at = Math.floor(entry.atMs / first.width) * first.width;
    const key = `${entry.kind} ${at} ${entry.subject} ${entry.name}`;
    const row = rows.get(key) ?? newRow(entry, first.width, at);
    rows.set(key, row);
    row.total += entry.total ?? 1;
    row.refused += entry.refused ?? 0;
    row.share = Math.max(row.share, entry.share ?? 0);
    row.limit_max = Math.max(row.limit_max, entry.limit_max ?? 0);
    if (entry.latencyMs !== undefined) row[latencyColumnOf(entry.latencyMs)] += 1;
  }
  const all = [...rows.values()];
  for (const { width } of wider) {
    rows = widened(rows.values(), width);
    all.push(...rows.values());
  }
  return all;
}

const newRow = (
  { kind, subject, name }: Pick<Tally, 'subject' | 'name'> & { kind: string },
  width: number,
  at: number,
): Tally => ({
  ...{ kind, width, at, subject, name, total: 0, refused: 0, share: 0, limit_max: 0 },
  ...noLatency,
});

function widened(narrow: Iterable<Tally>, width: number): Map<string, Tally> {
  const rows = new Map<string, Tally>();
  for (const one of narrow) {
    const at = Math.floor(one.at / width) * width;
    const key = `${one.kind} ${at} ${one.subject} ${one.name}`;
    const row = rows.get(key) ?? newRow(one, width, at);
    rows.set(key, row);
    for (const column of summed) row[column] += one[column];
    row.share = Math.max(row.share, one.share);
    row.limit_max = Math.max(row.limit_max, one.limit_max);
  }
  return rows;
}

export const callClasses = ['succeeded', 'refused', 'limited', 'failed'] as const;
export type CallClass = (typeof callClasses)[number];

export function classOfCall(status: number): CallClass {
  if (status === 429) return 'limited';
  if (status >= 500) return 'failed';
  return status >= 400 ? 'refused' : 'succeeded';
}

export function talliesOfCalls(calls: readonly Row<'calls'>[]): Tally[] {
  return rowsOf(
    calls.flatMap((call) => {
      const { api, at, status, duration_ms } = call;
      const one: Tallied = { kind: 'call', subject: api, name: classOfCall(status), atMs: at, latencyMs: duration_ms };
      return isLimited(call.caller) ? [one, limitOf(call, call.caller)] : [one];
    }),
  );
}

/** Accounts and tokens have limits; the operator has none. */
const isLimited = (caller: string | null): caller is string => caller !== null && /^(account|token):/.test(caller);

function limitOf({ limit_state, at, status }: Row<'calls'>, caller: string): Tallied {
  const one = { kind: 'limit', subject: caller, atMs: at } as const;
  if (limit_state === null) return { ...one, name: '' };
  const { name, limit, remaining } = limit_state;
  const share = limit > 0 ? Math.round(1000 - (remaining * 1000) / limit) : 1000;
  return { ...one, name, limit_max: limit, share: Math.min(1000, Math.max(0, share)), refused: status === 429 ? 1 : 0 };
}

/** Attempts count when they ended. */
export const talliesOfAttempts = (attempts: readonly Row<'attempts'>[], ended: readonly Row<'deliveries'>[]): Tally[] =>
  rowsOf([
    ...attempts.flatMap(({ endpoint_id, outcome, ended_at, timings }) =>
      [endpoint_id, everyone].map((subject): Tallied => {
        return { kind: 'attempt', subject, name: outcome, atMs: ended_at, latencyMs: timings.total ?? 0 };
      }),
    ),
    ...endings(ended),
  ]);

/** Of deliveries that came to an end: those still pending are left out. */
export const talliesOfEnded = (deliveries: readonly Row<'deliveries'>[]): Tally[] => rowsOf(endings(deliveries));

const endings = (deliveries: readonly Row<'deliveries'>[]): Tallied[] =>
  deliveries
    .filter(({ status }) => status !== 'pending')
    .flatMap(({ endpoint_id, status, updated_at }) =>
      [endpoint_id, everyone].map((subject): Tallied => ({ kind: 'delivery', subject, name: status, atMs: updated_at })),
    );
