import type { Logger } from '../../base/log.ts';
import type { Tallier } from '../../figures/tallier.ts';
import { tallyAttempts, tallyEnded } from '../../figures/tally.ts';
import { type Rows, type Store, StoreUnavailable } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { concerns, type FailureWindow, type HealthRules, healthAfter, type Sign } from '../endpoints/health.ts';
import { eventsOf, noticeRow } from '../endpoints/notices.ts';
import { manualReasonOf, seenOf } from '../model/jobs.ts';
import type { Owed } from './admit.ts';
import type { Verdict } from './retry.ts';

/** An attempt that was made, and what is to become of its delivery. */
export interface Made {
  owed: Owed;
  row: Row<'attempts'>;
  verdict: Verdict;
  sign: Sign;
}

/** The delivery after the attempt; none where another worker recorded that attempt first. */
export type Recorded = Row<'deliveries'> | undefined;

export interface RecordParts {
  store: Store;
  log: Logger;
  window: FailureWindow;
  health: HealthRules;
  /** Where attempts are counted; nowhere in a stub. */
  tallier: Tallier | undefined;
  /** Called when there are events for the operator to fan out. */
  noticed(): void;
  /** Resolves after a while, and at once when the process stops; false then. */
  pause(): Promise<boolean>;
}

/**
 * Writes the attempts of a group with what they change, in one transaction that the jobs wait for. While the store is away
 * the evidence is kept here and written when it is back. Gives each delivery as it is then; none where another worker
 * recorded that attempt first.
 */
export async function record(parts: RecordParts, made: Made[]): Promise<Recorded[]> {
  const { log, window } = parts;
  for (const { sign, row } of made) window.note(row.endpoint_id, sign);
  for (;;) {
    try {
      return await writeGroup(parts, made);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) return oneByOne(parts, made, error);
      log.warn({ attempts: made.length }, 'attempts.wait_for_store');
      if (!(await parts.pause())) throw error;
    }
  }
}

/** What the store refuses of one attempt must not lose the others of its group. */
async function oneByOne(parts: RecordParts, made: Made[], cause: unknown): Promise<Recorded[]> {
  if (made.length === 1) throw cause;
  const results: Recorded[] = [];
  for (const one of made) {
    const { delivery_id, number } = one.row;
    const written = await writeGroup(parts, [one]).catch((error: unknown) => {
      parts.log.error({ err: error, deliveryId: delivery_id, attempt: number }, 'attempt.not_recorded');
      return [undefined];
    });
    results.push(...written);
  }
  return results;
}

async function writeGroup(parts: RecordParts, made: Made[]): Promise<Recorded[]> {
  const written = await writePlain(parts.store, made.filter(isPlain));
  const rest = made.filter((one) => !written.has(one));
  if (rest.length > 0) {
    const { results, noticed } = await parts.store.transaction((tx) => write(tx, parts, rest));
    if (noticed) parts.noticed();
    for (const [index, one] of rest.entries()) written.set(one, results[index]);
  }
  const recorded = made.map((one) => written.get(one));
  parts.tallier?.note([
    ...tallyAttempts(made.filter((_, index) => recorded[index]).map(({ row }) => row)),
    ...tallyEnded(recorded.filter((after) => after !== undefined)),
  ]);
  return recorded;
}

/** Nothing to decide but what becomes of the delivery: most attempts succeed at endpoints that are well. */
const isPlain = ({ owed, sign }: Made): boolean => !concerns(owed.endpoint, sign);

/** In one statement. Those whose delivery is not any more as it was seen are left to `write`. */
async function writePlain(store: Store, made: Made[]): Promise<Map<Made, Recorded>> {
  const each = [...new Map(made.map((one) => [one.row.delivery_id, one])).values()].map((one) => {
    const { delivery } = one.owed;
    return { one, id: delivery.id, seen: seenOf(delivery), next: changesOf(delivery, one) };
  });
  const rows = each.map(({ one, next }) => attemptRow(one, { ...one.owed.delivery, ...next }));
  const moved = new Set(await store.advance('deliveries', each, { table: 'attempts', column: 'delivery_id', rows }));
  return new Map(each.filter(({ id }) => moved.has(id)).map(({ one, next }) => [one, { ...one.owed.delivery, ...next }]));
}

/** Endpoints are locked before deliveries, each in the order of their ids, as everywhere. */
async function write(tx: Rows, parts: RecordParts, made: Made[]): Promise<{ results: Recorded[]; noticed: boolean }> {
  const concerned = made.filter(({ owed, sign }) => concerns(owed.endpoint, sign)).map(({ row }) => row.endpoint_id);
  const endpoints = concerned.length > 0 ? await locked(tx, 'endpoints', concerned) : [];
  const ids = made.map(({ row }) => row.delivery_id);
  const deliveries = new Map((await locked(tx, 'deliveries', ids)).map((row) => [row.id, row]));
  const attempts: Row<'attempts'>[] = [];
  const changed = new Map<string, Changes>();
  const results = made.map((one) => {
    const before = deliveries.get(one.row.delivery_id);
    if (before?.status !== 'pending' || before.attempts !== one.row.number - 1) return undefined;
    const changes = changesOf(before, one);
    const after = { ...before, ...changes };
    deliveries.set(after.id, after);
    changed.set(after.id, changes);
    attempts.push(attemptRow(one, after));
    return after;
  });
  await tx.append('attempts', attempts);
  await tx.revise(
    'deliveries',
    [...changed].map(([id, changes]) => ({ id, ...changes })),
  );
  let noticed = false;
  for (const endpoint of endpoints) noticed = (await judgeEndpoint(tx, parts, endpoint, made)) || noticed;
  return { results, noticed };
}

function locked<T extends 'endpoints' | 'deliveries'>(tx: Rows, table: T, ids: string[]): Promise<Row<T>[]> {
  const query = { where: { id: { in: [...new Set(ids)] } }, order: [['id', 'asc']], lock: true };
  return tx.list(table, query as never);
}

const statusAfter = { success: 'delivered', retry: 'pending', dead: 'failed' } as const;

type Changes = Pick<Row<'deliveries'>, 'status' | 'attempts' | 'reason' | 'response_status' | 'next_attempt_at' | 'updated_at'>;

function changesOf(before: Row<'deliveries'>, { owed, row, verdict }: Made): Changes {
  const { outcome, number, response_status, ended_at } = row;
  const common = { attempts: number, response_status, updated_at: ended_at };
  // An operator asked for an attempt while this one was under way: it is still owed.
  if (manualReasonOf(before) && before.next_attempt_at !== owed.delivery.next_attempt_at) {
    const reason = verdict.kind === 'retry' ? 'brought_forward' : 'resend';
    return { ...common, status: 'pending', reason, next_attempt_at: before.next_attempt_at };
  }
  return {
    ...common,
    status: statusAfter[verdict.kind],
    reason: outcome === 'success' ? null : outcome,
    next_attempt_at: verdict.kind === 'retry' ? verdict.atMs : null,
  };
}

function attemptRow({ row, verdict }: Made, after: Row<'deliveries'>): Row<'attempts'> {
  const own = verdict.kind === 'success' ? null : verdict.why;
  const why = manualReasonOf(after) ? 'An operator asked for another attempt meanwhile.' : own;
  return { ...row, next_attempt_at: after.next_attempt_at, next_attempt_why: why };
}

/** Whether it came to something for the operator. */
async function judgeEndpoint(
  tx: Rows,
  { window, health }: RecordParts,
  endpoint: Row<'endpoints'>,
  made: Made[],
): Promise<boolean> {
  const signs = made
    .filter(({ row }) => row.endpoint_id === endpoint.id)
    .map(({ sign }) => sign)
    .sort((a, b) => a.endedAt - b.endedAt);
  const last = signs.at(-1)?.endedAt ?? 0;
  const { patch, notices } = healthAfter(endpoint, signs, window.failing(endpoint.id, last), health);
  if (Object.keys(patch).length > 0) await tx.update('endpoints', { id: endpoint.id }, { ...patch, updated_at: last });
  if (patch.held_until === null) window.forget(endpoint.id);
  if (notices.length === 0) return false;
  const rows = notices.map(({ kind, message }) => noticeRow(kind, endpoint.id, message, last));
  await tx.append('notices', rows);
  const events = eventsOf(endpoint, rows);
  if (events.length > 0) await tx.append('events', events);
  return events.length > 0;
}
