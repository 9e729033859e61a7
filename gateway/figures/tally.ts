import { overloadedCode } from '../base/errors.ts';
import { timeOfId } from '../base/ids.ts';
import { type TallyKind, tallyKinds } from '../store/tables/figures.ts';
import type { Row } from '../store/tables/index.ts';
import { addLatencies, countLatency, type Latencies, latencyClassOf, textOfLatencies } from './latency.ts';

/**
 * The lengths of windows, and how long each is kept, in milliseconds. Each length is a multiple of the one before. The
 * shortest says what happened in the last minute, at any time of a minute.
 */
export const tallyWidths: readonly { width: number; keptMs: number; kinds?: readonly TallyKind[] }[] = [
  { width: 10_000, keptMs: 600_000, kinds: ['attempt'] },
  { width: 60_000, keptMs: 25 * 3_600_000 },
  { width: 600_000, keptMs: 49 * 3_600_000 },
  { width: 3_600_000, keptMs: 8 * 24 * 3_600_000 },
];

const shortestWidths = new Map(
  tallyKinds.map((kind) => [kind, tallyWidths.find((one) => one.kinds === undefined || one.kinds.includes(kind))?.width ?? 0]),
);

const shortestOf = (kind: TallyKind): number => shortestWidths.get(kind) as number;

/** Returns the condition for the tallies of the last minute, and of at most ten seconds before it. */
export function lastMinute(kind: TallyKind, nowMs: number): { kind: TallyKind; width: number; at: { gte: number } } {
  const width = shortestOf(kind);
  return { kind, width, at: { gte: Math.floor((nowMs - 60_000) / width) * width } };
}

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

/** A row of tallies in memory. */
type Tally = Omit<Row<'tallies'>, 'latency'> & { latencies: Latencies };

/** Rows of the shortest windows by key. */
export type Tallies = Map<string, Tally>;

export function addTo(tallies: Tallies, entries: readonly Tallied[]): void {
  for (const entry of entries) {
    const row = rowAt(tallies, entry, shortestOf(entry.kind), entry.atMs);
    row.total += entry.total ?? 1;
    row.refused += entry.refused ?? 0;
    row.share = Math.max(row.share, entry.share ?? 0);
    row.limit_max = Math.max(row.limit_max, entry.limit_max ?? 0);
    if (entry.latencyMs !== undefined) countLatency(row.latencies, latencyClassOf(entry.latencyMs));
  }
}

/** Returns the rows to store: the tallies in windows of every length, each key once. */
export function inEveryWidth(tallies: Tallies): Row<'tallies'>[] {
  const stored: Row<'tallies'>[] = [];
  let shorter: Tallies = new Map();
  for (const { width } of tallyWidths) {
    const rows: Tallies = new Map();
    for (const one of shorter.values()) addRow(rowAt(rows, one, width, one.at), one);
    for (const one of tallies.values()) if (one.width === width) addRow(rowAt(rows, one, width, one.at), one);
    for (const { latencies, ...row } of rows.values()) stored.push({ ...row, latency: textOfLatencies(latencies) });
    shorter = rows;
  }
  return stored;
}

function rowAt(tallies: Tallies, of: Pick<Tally, 'kind' | 'subject' | 'name'>, width: number, atMs: number): Tally {
  const at = Math.floor(atMs / width) * width;
  const key = `${of.kind} ${at} ${of.subject} ${of.name}`;
  const known = tallies.get(key);
  if (known) return known;
  const { kind, subject, name } = of;
  const none = { total: 0, refused: 0, share: 0, limit_max: 0, latencies: new Map() };
  const row: Tally = { kind, width, at, subject, name, ...none };
  tallies.set(key, row);
  return row;
}

function addRow(row: Tally, more: Tally): void {
  row.total += more.total;
  row.refused += more.refused;
  row.share = Math.max(row.share, more.share);
  row.limit_max = Math.max(row.limit_max, more.limit_max);
  addLatencies(row.latencies, more.latencies);
}

/**
 * Adds rows that could not be stored to the waiting ones. Rows of stored events are left out. They may have been stored although
 * the answer was lost, and for the audit, an event that is counted twice looks like a missing one.
 */
export function putBack(tallies: Tallies, rows: Tallies): void {
  for (const row of rows.values()) if (row.kind !== storedEvents.kind) addRow(rowAt(tallies, row, row.width, row.at), row);
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
    // Calls of the profile use no limit of the service.
    const limited = api !== 'profile' && isLimited(call.caller);
    const isOverload = call.error_code === overloadedCode;
    return [
      one,
      ...(limited ? [limitOf(call, { caller: String(call.caller), atMs })] : []),
      ...(isOverload ? [{ kind: 'refusal', subject: api, name: overloadedCode, atMs } as const] : []),
    ];
  });

/** Accounts and tokens have limits; operators have none. */
const isLimited = (caller: string | null): boolean => caller !== null && /^(account|token):/.test(caller);

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
      // An attempt for which nothing was sent, for example because it could not be signed, has no latency of its receiver.
      const latency = timings.total === undefined ? {} : { latencyMs: timings.total };
      return { kind: 'attempt', subject, name: outcome, atMs: ended_at, ...latency };
    }),
  );

/** Counts calls that were served but not recorded. */
export const tallyLost = (calls: number, atMs: number): Tallied[] => [
  { kind: 'record', subject: everyone, name: 'lost', atMs, total: calls },
];

/** The tallies of stored events. The audit compares them with the events that are there. */
export const storedEvents = { kind: 'event', subject: everyone, name: 'stored' } as const;

/** Counts events that were stored, in the window that their ids name. */
export const tallyEvents = (events: readonly Pick<Row<'events'>, 'id'>[]): Tallied[] =>
  events.map(({ id }) => ({ ...storedEvents, atMs: timeOfId(id) }));

/** Counts deliveries that ended. Pending ones are left out, and so are tests that failed: those are no dead letters. */
export const tallyEnded = (deliveries: readonly Row<'deliveries'>[]): Tallied[] =>
  deliveries
    .filter(({ status, test }) => status !== 'pending' && !(test && status === 'failed'))
    .flatMap(({ endpoint_id, status, updated_at }) =>
      [endpoint_id, everyone].map((subject): Tallied => ({ kind: 'delivery', subject, name: status, atMs: updated_at })),
    );

/** Returns the rows for deliveries that end in the caller's own transaction. */
export function talliesOfEnded(deliveries: readonly Row<'deliveries'>[]): Row<'tallies'>[] {
  const tallies: Tallies = new Map();
  addTo(tallies, tallyEnded(deliveries));
  return inEveryWidth(tallies);
}
