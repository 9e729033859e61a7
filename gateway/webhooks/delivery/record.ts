import { pause, type Timers } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { Tallier } from '../../figures/tallier.ts';
import { tallyAttempts, tallyEnded } from '../../figures/tally.ts';
import { type Rows, type Store, StoreUnavailable } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { affectsHealth, FailureWindow } from '../endpoints/health.ts';
import { isUnverified } from '../model/activity.ts';
import { asksForOneMore, manualReasonOf, seenOf } from '../model/jobs.ts';
import { DeferredHealth } from './deferred-health.ts';
import type { Lanes } from './lanes.ts';
import { type LockedRows, lockFree } from './lock-free.ts';
import { type RecordHealthRules, recordHealth } from './record-health.ts';
import type { Verdict } from './retry.ts';
import type { Attempt } from './send.ts';
import { batched, type Stage } from './stage.ts';
import { waitsForHold } from './wait-for-hold.ts';

/** The delivery after the attempt; undefined if the attempt changed nothing: the delivery had ended, or the store rejects it. */
export type Recorded = Row<'deliveries'> | undefined;

export interface RecordParts extends RecordHealthRules {
  store: Store;
  lanes: Pick<Lanes, 'check'>;
  timers: Timers;
  log: Logger;
  /** Counts attempts and finished deliveries for the figures. */
  tallier?: Tallier | undefined;
  /** Called when recording created events for the operator. */
  wakeFanout(): void;
}

/** Time between two tries to record, while the store is away, and while another transaction has locked the delivery. */
const awayMs = 1000;
const lockedMs = 250;

/** The result of an attempt whose delivery another transaction has locked. */
const locked = Symbol('locked');
type Written = Recorded | typeof locked;

/**
 * The stage that stores attempts with what they change: their deliveries and their endpoints' health. If the store is away,
 * the attempts stay in memory until it is back. A batch never waits for a row that another transaction has locked: a locked
 * delivery is retried by itself, and a locked endpoint's health follows later.
 */
export class AttemptRecorder {
  readonly record: Stage<Attempt, Recorded>;
  readonly #parts: RecordParts;
  readonly #window = new FailureWindow();
  readonly #deferred: DeferredHealth;
  /** Attempts whose deliveries were locked. They do not join a statement that would wait for the lock. */
  readonly #lockedBefore = new WeakSet<Attempt>();
  readonly #stopping = new AbortController();
  /** Resolves when the store takes writes again; undefined while it does. */
  #away: Promise<void> | undefined;
  /** How often the store's rows were reset. */
  resets = 0;

  constructor(parts: RecordParts) {
    this.#parts = parts;
    this.#deferred = new DeferredHealth({ ...parts, window: this.#window, stopping: this.#stopping.signal });
    const write = batched<Attempt, Written>('record', (attempts) => this.#recordBatch(attempts));
    this.record = async (attempt) => {
      for (;;) {
        const written = await write(attempt);
        if (written !== locked) return written;
        if (this.#stopping.signal.aborted) throw new StoreUnavailable('Another transaction has locked the delivery.');
        this.#lockedBefore.add(attempt);
        await this.#pause(lockedMs);
      }
    };
  }

  /** Resolves when attempts can be recorded. While they cannot, no further ones should be made. */
  async ready(): Promise<void> {
    while (this.#away && !this.#stopping.signal.aborted) await this.#away;
  }

  /** Forgets the failures counted so far, and records no attempt that began before. */
  reset(): void {
    this.resets += 1;
    this.#window.forgetAll();
  }

  /** Waits for the store no longer: from now on a batch fails if the store is away. */
  stop(): void {
    this.#stopping.abort();
  }

  async #recordBatch(batch: Attempt[]): Promise<Written[]> {
    const { store, log, tallier } = this.#parts;
    const attempts = batch.filter(({ resets }) => resets === this.resets);
    const isNew = (attempt: Attempt) => !this.#lockedBefore.has(attempt);
    for (const { evidence, endpoint } of attempts.filter(isNew)) this.#window.note(endpoint.id, evidence);
    const isSimple = (attempt: Attempt) => leavesHealthUnchanged(attempt) && !mayBlock(attempt) && isNew(attempt);
    const simple = attempts.filter(isSimple);
    const written = await writeInOneStatement(store, simple, this.#parts.scheduleSeconds).catch(
      (error: unknown): Map<Attempt, Written> => {
        log.warn({ err: error, attempts: simple.length }, 'attempts.not_recorded_together');
        return new Map();
      },
    );
    const rest = attempts.filter((attempt) => !written.has(attempt));
    const recorded = await this.#writeRest(rest);
    for (const [index, attempt] of rest.entries()) written.set(attempt, recorded[index]);
    const results = attempts.map((attempt) => written.get(attempt));
    const isRecorded = (one: Written) => one !== undefined && one !== locked;
    // Attempts at unverified endpoints do not count. Otherwise an endpoint would look as if it had failed, only because its owner
    // was setting up the receiver.
    const isCounted = ({ endpoint }: Attempt, index: number) => isRecorded(results[index]) && !isUnverified(endpoint);
    const counted = attempts.filter(isCounted);
    tallier?.note([...tallyAttempts(counted.map(({ row }) => row)), ...tallyEnded(results.filter(isRecorded))]);
    return batch.map((attempt) => written.get(attempt));
  }

  /** If the store rejects one attempt, the others must still be recorded: then each is written by itself. */
  async #writeRest(attempts: Attempt[]): Promise<Written[]> {
    const { store, lanes, log, wakeFanout } = this.#parts;
    if (attempts.length === 0) return [];
    try {
      const { recorded, evidence, lockedEndpoints, changedHolds, hasEvents } = await this.#whenStoreAnswers(() =>
        store.transaction((tx) => this.#writeInTransaction(tx, attempts)),
      );
      if (hasEvents) wakeFanout();
      if (changedHolds.length > 0) lanes.check(changedHolds);
      for (const [index, { row, endpoint }] of attempts.entries()) {
        if (recorded[index] === undefined) log.warn(namesOf(row), 'attempt.after_the_end');
        const own = evidence[index];
        if (own && lockedEndpoints.has(endpoint.id)) this.#deferred.add(endpoint.id, own);
      }
      return recorded;
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      const [only] = attempts;
      if (attempts.length === 1 && only) {
        log.error({ err: error, ...namesOf(only.row) }, 'attempt.not_recorded');
        return [undefined];
      }
      const recorded: Written[] = [];
      for (const attempt of attempts) recorded.push(...(await this.#writeRest([attempt])));
      return recorded;
    }
  }

  /** Repeats the work while the store is away, until `stop` is called. */
  async #whenStoreAnswers<R>(work: () => Promise<R>): Promise<R> {
    const { promise: back, resolve } = Promise.withResolvers<void>();
    try {
      for (;;) {
        try {
          return await work();
        } catch (error) {
          if (!(error instanceof StoreUnavailable)) throw error;
          this.#away = back;
          this.#parts.log.warn({ err: error }, 'attempts.wait_for_store');
          await this.#pause(awayMs);
          if (this.#stopping.signal.aborted) throw error;
        }
      }
    } finally {
      this.#away = undefined;
      resolve();
    }
  }

  /** Locks endpoints before deliveries, each in the order of their ids. All code does, so that no two transactions deadlock. */
  async #writeInTransaction(tx: Rows, attempts: Attempt[]) {
    const needed = attempts.filter((attempt) => !leavesHealthUnchanged(attempt) || mayBlock(attempt));
    const endpoints = await lockFree(
      tx,
      'endpoints',
      needed.map(({ endpoint }) => endpoint.id),
    );
    const deliveries = await lockFree(
      tx,
      'deliveries',
      attempts.map(({ delivery }) => delivery.id),
    );
    const recorded = await writeDeliveries(tx, attempts, { endpoints, deliveries }, this.#parts.scheduleSeconds);
    const evidence = attempts.map((one, index) => (recorded[index] === locked ? null : one.evidence));
    const changedHolds: string[] = [];
    const joined = new Set<string>();
    let hasEvents = false;
    for (const endpoint of endpoints.rows.values()) {
      const own = evidence.flatMap((one, index) => (one && attempts[index]?.endpoint.id === endpoint.id ? [one] : []));
      if (own.length === 0) continue;
      const changed = await recordHealth(tx, endpoint, own, this.#window, this.#parts);
      if (changed.hasHoldChanged) changedHolds.push(endpoint.id);
      for (const id of changed.joined) joined.add(id);
      hasEvents ||= changed.hasEvents;
    }
    const after = recorded.map((one) => (one && one !== locked && joined.has(one.id) ? { ...one, parked: true } : one));
    return { recorded: after, evidence, lockedEndpoints: endpoints.locked, changedHolds, hasEvents };
  }

  /** Ends early when the recorder stops. */
  #pause(ms: number): Promise<void> {
    return pause(this.#parts.timers, ms, this.#stopping.signal);
  }
}

const namesOf = ({ delivery_id, endpoint_id, number }: Row<'attempts'>) => ({
  deliveryId: delivery_id,
  endpointId: endpoint_id,
  attempt: number,
});

const leavesHealthUnchanged = ({ endpoint, evidence }: Attempt): boolean => !affectsHealth(endpoint, evidence);

/**
 * True for a dead letter at an ordered endpoint. The endpoint's locked row decides whether it blocks, because the rule may have
 * changed during the attempt.
 */
const mayBlock = ({ delivery, verdict }: Attempt): boolean => verdict.kind === 'dead' && delivery.order_key !== null;

/**
 * Writes what most attempts are: successes at healthy endpoints. Leaves out attempts whose delivery has changed since it was
 * read.
 */
async function writeInOneStatement(
  store: Store,
  attempts: Attempt[],
  scheduleSeconds: readonly number[],
): Promise<Map<Attempt, Written>> {
  const moves = [...new Map(attempts.map((attempt) => [attempt.delivery.id, attempt])).values()].map((attempt) => {
    const { delivery, endpoint } = attempt;
    const waits = waitsForHold(failedNow(delivery, attempt), endpoint, scheduleSeconds);
    return { attempt, id: delivery.id, seen: seenOf(delivery), next: changesOf(delivery, attempt, { blocks: false, waits }) };
  });
  const rows = moves.map(({ attempt, next }) => finishedRow(attempt, { ...attempt.delivery, ...next }));
  const moved = new Set(await store.advance('deliveries', moves, { table: 'attempts', column: 'delivery_id', rows }));
  const written = moves.filter(({ id }) => moved.has(id));
  return new Map(written.map(({ attempt, next }) => [attempt, { ...attempt.delivery, ...next }]));
}

/**
 * Writes attempts whose deliveries may have changed since they were read: an operator moved them, the endpoint was deleted, or
 * another process made an attempt as well. An attempt that was sent is always recorded, with the next free number.
 */
async function writeDeliveries(
  tx: Rows,
  attempts: Attempt[],
  locks: { [T in 'endpoints' | 'deliveries']: LockedRows<T> },
  scheduleSeconds: readonly number[],
): Promise<Written[]> {
  const { rows: deliveries } = locks.deliveries;
  // If a commit got no answer, the store may already have these attempts.
  const written = new Set(await idsOfWritten(tx, attempts));
  const rows: Row<'attempts'>[] = [];
  const changed = new Map<string, Changes>();
  const recorded = attempts.map((attempt) => {
    if (locks.deliveries.locked.has(attempt.delivery.id)) return locked;
    if (mayBlock(attempt) && locks.endpoints.locked.has(attempt.endpoint.id)) return locked;
    const before = deliveries.get(attempt.delivery.id);
    if (!before || written.has(attempt.row.id)) return before;
    const isAwaited = before.status === 'pending' && before.attempts === attempt.row.number - 1;
    const endpoint = locks.endpoints.rows.get(attempt.endpoint.id);
    const blocks = endpoint?.on_dead_letter === 'block' && endpoint.deleted_at === null;
    // Another process may have opened the hold during the attempt.
    const waits = waitsForHold(failedNow(before, attempt), endpoint ?? attempt.endpoint, scheduleSeconds);
    const changes = isAwaited ? changesOf(before, attempt, { blocks, waits }) : changesBeside(before, attempt);
    const after = { ...before, ...changes };
    deliveries.set(after.id, after);
    changed.set(after.id, changes);
    rows.push(finishedRow(isAwaited ? attempt : { ...attempt, verdict: besideVerdict(attempt) }, after));
    return after.status === before.status && after.status !== 'pending' ? undefined : after;
  });
  await tx.append('attempts', rows);
  await tx.revise(
    'deliveries',
    [...changed].map(([id, changes]) => ({ id, ...changes })),
  );
  return recorded;
}

async function idsOfWritten(tx: Rows, attempts: Attempt[]): Promise<string[]> {
  const where = {
    id: { in: attempts.map(({ row }) => row.id) },
    delivery_id: { in: attempts.map(({ row }) => row.delivery_id) },
  };
  return (await tx.list('attempts', { where })).map(({ id }) => id);
}

const statusAfter = { success: 'delivered', retry: 'pending', dead: 'failed' } as const;

type Changes = Pick<
  Row<'deliveries'>,
  'status' | 'attempts' | 'reason' | 'response_status' | 'next_attempt_at' | 'parked' | 'order_key' | 'updated_at'
>;

const failedNow = (before: Row<'deliveries'>, { row }: Attempt): Row<'deliveries'> => ({
  ...before,
  attempts: row.number,
  updated_at: row.ended_at,
});

/** What its endpoint means for a delivery whose attempt failed. */
interface AtEndpoint {
  /** As a dead letter it blocks the others of its key. */
  blocks: boolean;
  /** It waits for the end of the hold. */
  waits: boolean;
}

function changesOf(before: Row<'deliveries'>, attempt: Attempt, { blocks, waits }: AtEndpoint): Changes {
  const { delivery, row, verdict } = attempt;
  const { outcome, number, response_status, ended_at } = row;
  const common = { attempts: number, response_status, parked: false, updated_at: ended_at };
  // An operator asked for another attempt while this one was running: it is made now.
  if (asksForOneMore(before) && before.updated_at !== delivery.updated_at) {
    const reason = verdict.kind === 'retry' ? 'brought_forward' : 'resend';
    return { ...common, status: 'pending', reason, next_attempt_at: ended_at, order_key: before.order_key };
  }
  const retryAtMs = verdict.kind === 'retry' ? verdict.atMs : null;
  return {
    ...common,
    status: statusAfter[verdict.kind],
    reason: outcome === 'success' ? null : outcome,
    next_attempt_at: retryAtMs,
    parked: retryAtMs !== null && waits,
    order_key: verdict.kind === 'retry' || (verdict.kind === 'dead' && blocks) ? before.order_key : null,
  };
}

/**
 * Returns the changes by an attempt that was not the delivery's planned one. It counts as an attempt, and if it succeeded, the
 * delivery is delivered.
 */
function changesBeside(before: Row<'deliveries'>, { row }: Attempt): Changes {
  const common = { attempts: before.attempts + 1, response_status: row.response_status, updated_at: row.ended_at };
  const isAsked = before.status === 'pending' && asksForOneMore(before);
  if (row.outcome === 'success' && !isAsked)
    return { ...common, status: 'delivered', reason: null, next_attempt_at: null, parked: false, order_key: null };
  const { status, reason, next_attempt_at, parked, order_key } = before;
  return { ...common, status, reason, next_attempt_at, parked, order_key };
}

const besideVerdict = ({ verdict }: Attempt): Verdict =>
  verdict.kind === 'success' ? verdict : { kind: 'dead', why: { case: 'not_awaited', values: {} } };

function finishedRow({ row, verdict }: Attempt, after: Row<'deliveries'>): Row<'attempts'> {
  const scheduled = verdict.kind === 'success' ? null : verdict.why;
  const why = manualReasonOf(after) ? ({ case: 'asked', values: {} } as const) : scheduled;
  return { ...row, number: after.attempts, next_attempt_at: after.next_attempt_at, next_attempt_case: why };
}
