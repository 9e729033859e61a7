import { timeOfId } from '../base/ids.ts';
import { type LatencyColumn, latencyBoundsMs, latencyColumns, type TallyKind } from '../store/tables/figures.ts';
import type { Row } from '../store/tables/index.ts';

/** The lengths of windows, and how long each is kept, in milliseconds. Each length is a multiple of the one before. */
export const tallyWidths = [
  { width: 60_000, keptMs: 25 * 3_600_000 },
  { width: 600_000, keptMs: 49 * 3_600_000 },
  { width: 3_600_000, keptMs: 8 * 24 * 3_600_000 },
] as const;

/** The subject of tallies over all endpoints. */
export const everyone = '*';

/** One call, attempt or delivery to count. Defaults: a total of 1, zeros for the rest. */
export interface Tallied {
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

/** Returns the column that counts a latency. */
export function latencyColumnOf(latencyMs: number): LatencyColumn {
  const index = latencyBoundsMs.findIndex((bound) => latencyMs <= bound);
  return latencyColumns.at(index) as LatencyColumn;
}

/** Rows of the narrowest windows by key. */
export type Tallies = Map<string, Tally>;

/** Adds entries to the tallies. */
export function addTo(tallies: Tallies, entries: readonly Tallied[]): void {
  const [{ width }] = tallyWidths;
  for (const entry of entries) {
    const row = rowAt(tallies, entry, width, entry.atMs);
    row.total += entry.total ?? 1;
    row.refused += entry.refused ?? 0;
    row.share = Math.max(row.share, entry.share ?? 0);
    row.limit_max = Math.max(row.limit_max, entry.limit_max ?? 0);
    if (entry.latencyMs !== undefined) row[latencyColumnOf(entry.latencyMs)] += 1;
  }
}

/** Returns the rows to store: the tallies in windows of every length, each key once. */
export function inEveryWidth(tallies: Tallies): Tally[] {
  const [, ...wider] = tallyWidths;
  let narrower = tallies;
  const all = [...tallies.values()];
  for (const { width } of wider) {
    narrower = widened(narrower.values(), width);
    all.push(...narrower.values());
  }
  return all;
}

function rowAt(tallies: Tallies, of: Pick<Tally, 'kind' | 'subject' | 'name'>, width: number, atMs: number): Tally {
  const at = Math.floor(atMs / width) * width;
  const key = `${of.kind} ${at} ${of.subject} ${of.name}`;
  const known = tallies.get(key);
  if (known) return known;
  const row = newRow(of, width, at);
  tallies.set(key, row);
  return row;
}

const newRow = ({ kind, subject, name }: Pick<Tally, 'kind' | 'subject' | 'name'>, width: number, at: number): Tally => ({
  ...{ kind, width, at, subject, name, total: 0, refused: 0, share: 0, limit_max: 0 },
  ...noLatency,
});

function widened(narrow: Iterable<Tally>, width: number): Tallies {
  const tallies: Tallies = new Map();
  for (const one of narrow) addRow(rowAt(tallies, one, width, one.at), one);
  return tallies;
}

function addRow(row: Tally, more: Tally): void {
  for (const column of summed) row[column] += more[column];
  row.share = Math.max(row.share, more.share);
  row.limit_max = Math.max(row.limit_max, more.limit_max);
}

/** Adds rows that could not be stored to the waiting ones. */
export function putBack(tallies: Tallies, rows: Tallies): void {
  for (const row of rows.values()) addRow(rowAt(tallies, row, row.width, row.at), row);
}

export const callClasses = ['succeeded', 'refused', 'limited', 'failed'] as const;
export type CallClass = (typeof callClasses)[number];

export function classOfCall(status: number): CallClass {
  if (status === 429) return 'limited';
  if (status >= 500) return 'failed';
  return status >= 400 ? 'refused' : 'succeeded';
}

/** `aheadMs` is how far the clock of the figures is ahead of the calls' clock (a stub's). */
export const tallyCalls = (calls: readonly Row<'calls'>[], aheadMs = 0): Tallied[] =>
  calls.flatMap((call) => {
    const { api, status, duration_ms } = call;
    const atMs = call.at + aheadMs;
    const one: Tallied = { kind: 'call', subject: api, name: classOfCall(status), atMs, latencyMs: duration_ms };
    return isLimited(call.caller) ? [one, limitOf(call, { caller: call.caller, atMs })] : [one];
  });

/** Accounts and tokens have limits; operators have none. */
const isLimited = (caller: string | null): caller is string => caller !== null && /^(account|token):/.test(caller);

function limitOf({ limit_state, status }: Row<'calls'>, { caller, atMs }: { caller: string; atMs: number }): Tallied {
  const one = { kind: 'limit', subject: caller, atMs } as const;
  if (limit_state === null) return { ...one, name: '' };
  const { name, limit, remaining } = limit_state;
  const share = limit > 0 ? Math.round(1000 - (remaining * 1000) / limit) : 1000;
  return { ...one, name, limit_max: limit, share: Math.min(1000, Math.max(0, share)), refused: status === 429 ? 1 : 0 };
}

/** Counts attempts in the window in which they ended. */
export const tallyAttempts = (attempts: readonly Row<'attempts'>[]): Tallied[] =>
  attempts.flatMap(({ endpoint_id, outcome, ended_at, timings }) =>
    [endpoint_id, everyone].map((subject): Tallied => {
      return { kind: 'attempt', subject, name: outcome, atMs: ended_at, latencyMs: timings.total ?? 0 };
    }),
  );

/** The tallies of stored events. The audit compares them with the events that are there. */
export const storedEvents = { kind: 'event', subject: everyone, name: 'stored' } as const;

/** Counts events that were stored, in the window that their ids name. */
export const tallyEvents = (events: readonly Pick<Row<'events'>, 'id'>[]): Tallied[] =>
  events.map(({ id }) => ({ ...storedEvents, atMs: timeOfId(id) }));

/** Counts deliveries that ended. Pending ones are left out. */
export const tallyEnded = (deliveries: readonly Row<'deliveries'>[]): Tallied[] =>
  deliveries
    .filter(({ status }) => status !== 'pending')
    .flatMap(({ endpoint_id, status, updated_at }) =>
      [endpoint_id, everyone].map((subject): Tallied => ({ kind: 'delivery', subject, name: status, atMs: updated_at })),
    );

/** Returns the rows for deliveries that end in the caller's own transaction. */
export function talliesOfEnded(deliveries: readonly Row<'deliveries'>[]): Tally[] {
  const tallies: Tallies = new Map();
  addTo(tallies, tallyEnded(deliveries));
  return inEveryWidth(tallies);
}
