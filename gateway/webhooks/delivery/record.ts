import type { Logger } from '../../base/log.ts';
import type { Tallier } from '../../figures/tallier.ts';
import { tallyAttempts, tallyEnded } from '../../figures/tally.ts';
import { type Rows, type Store, StoreUnavailable } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { affectsHealth, FailureWindow, type HealthRules } from '../endpoints/health.ts';
import { manualReasonOf, seenOf } from '../model/jobs.ts';
import { recordHealth } from './record-health.ts';
import type { Attempt } from './send.ts';
import { batched, type Stage } from './stage.ts';

/** The delivery after the attempt; undefined if this attempt was not recorded, for example because another worker was first. */
export type Recorded = Row<'deliveries'> | undefined;

export interface RecordParts extends HealthRules {
  store: Store;
  log: Logger;
  /** Counts attempts and finished deliveries for the figures. */
  tallier?: Tallier | undefined;
  /** Called when recording created events for the operator. */
  wakeFanout(): void;
}

const pauseMs = 1000;

/**
 * The stage that stores attempts with what they change: their deliveries and their endpoints' health. If the store is away,
 * the attempts stay in memory until it is back.
 */
export class AttemptRecorder {
  readonly record: Stage<Attempt, Recorded>;
  readonly #parts: RecordParts;
  readonly #window = new FailureWindow();
  #isStopped = false;
  #endPause = () => {};

  constructor(parts: RecordParts) {
    this.#parts = parts;
    this.record = batched('record', (attempts) => this.#recordBatch(attempts));
  }

  /** Forgets the failures counted so far. */
  reset(): void {
    this.#window.forgetAll();
  }

  /** Waits for the store no longer: from now on a batch fails if the store is away. */
  stop(): void {
    this.#isStopped = true;
    this.#endPause();
  }

  async #recordBatch(attempts: Attempt[]): Promise<Recorded[]> {
    const { store, log, tallier } = this.#parts;
    for (const { evidence, endpoint } of attempts) this.#window.note(endpoint.id, evidence);
    const simple = attempts.filter(leavesHealthUnchanged);
    const written = await this.#whenStoreAnswers(() => writeInOneStatement(store, simple)).catch((error: unknown) => {
      if (error instanceof StoreUnavailable) throw error;
      log.error({ err: error, attempts: simple.length }, 'attempts.not_recorded_together');
      return new Map<Attempt, Recorded>();
    });
    const rest = attempts.filter((attempt) => !written.has(attempt));
    const recorded = await this.#writeRest(rest);
    for (const [index, attempt] of rest.entries()) written.set(attempt, recorded[index]);
    const finished = attempts.filter((attempt) => written.get(attempt));
    tallier?.note([
      ...tallyAttempts(finished.map(({ row }) => row)),
      ...tallyEnded(finished.flatMap((attempt) => written.get(attempt) ?? [])),
    ]);
    return attempts.map((attempt) => written.get(attempt));
  }

  /** If the store rejects one attempt, the others must still be recorded: then each is written by itself. */
  async #writeRest(attempts: Attempt[]): Promise<Recorded[]> {
    const { store, log, wakeFanout } = this.#parts;
    if (attempts.length === 0) return [];
    try {
      const { recorded, hasEvents } = await this.#whenStoreAnswers(() =>
        store.transaction((tx) => this.#writeInTransaction(tx, attempts)),
      );
      if (hasEvents) wakeFanout();
      for (const [index, { row }] of attempts.entries()) if (!recorded[index]) log.warn(namesOf(row), 'attempt.made_twice');
      return recorded;
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      const [only] = attempts;
      if (attempts.length === 1 && only) {
        log.error({ err: error, ...namesOf(only.row) }, 'attempt.not_recorded');
        return [undefined];
      }
      const recorded: Recorded[] = [];
      for (const attempt of attempts) recorded.push(...(await this.#writeRest([attempt])));
      return recorded;
    }
  }

  /** Repeats the work while the store is away, until `stop` is called. */
  async #whenStoreAnswers<R>(work: () => Promise<R>): Promise<R> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        this.#parts.log.warn('attempts.wait_for_store');
        await this.#pause();
        if (this.#isStopped) throw error;
      }
    }
  }

  /** Locks endpoints before deliveries, each in the order of their ids. All code does, so that no two transactions deadlock. */
  async #writeInTransaction(tx: Rows, attempts: Attempt[]): Promise<{ recorded: Recorded[]; hasEvents: boolean }> {
    const affecting = attempts.filter((attempt) => !leavesHealthUnchanged(attempt)).map(({ endpoint }) => endpoint.id);
    const endpoints = affecting.length > 0 ? await lockRows(tx, 'endpoints', affecting) : [];
    const recorded = await writeDeliveries(tx, attempts);
    let hasEvents = false;
    for (const endpoint of endpoints) {
      const evidence = attempts.filter((one) => one.endpoint.id === endpoint.id).map((one) => one.evidence);
      hasEvents = (await recordHealth(tx, endpoint, evidence, this.#window, this.#parts)) || hasEvents;
    }
    return { recorded, hasEvents };
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.#isStopped ? 0 : pauseMs);
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

const namesOf = ({ delivery_id, endpoint_id, number }: Row<'attempts'>) => ({
  deliveryId: delivery_id,
  endpointId: endpoint_id,
  attempt: number,
});

const leavesHealthUnchanged = ({ endpoint, evidence }: Attempt): boolean => !affectsHealth(endpoint, evidence);

/** Writes what most attempts are: successes at healthy endpoints. Leaves out those whose delivery has changed since it was read. */
async function writeInOneStatement(store: Store, attempts: Attempt[]): Promise<Map<Attempt, Recorded>> {
  const moves = [...new Map(attempts.map((attempt) => [attempt.delivery.id, attempt])).values()].map((attempt) => {
    const { delivery } = attempt;
    return { attempt, id: delivery.id, seen: seenOf(delivery), next: changesOf(delivery, attempt) };
  });
  const rows = moves.map(({ attempt, next }) => finishedRow(attempt, { ...attempt.delivery, ...next }));
  const moved = new Set(await store.advance('deliveries', moves, { table: 'attempts', column: 'delivery_id', rows }));
  const written = moves.filter(({ id }) => moved.has(id));
  return new Map(written.map(({ attempt, next }) => [attempt, { ...attempt.delivery, ...next }]));
}

/** Writes attempts whose deliveries still wait for them, even if an operator has moved those in the meantime. */
async function writeDeliveries(tx: Rows, attempts: Attempt[]): Promise<Recorded[]> {
  const ids = attempts.map(({ delivery }) => delivery.id);
  const deliveries = new Map((await lockRows(tx, 'deliveries', ids)).map((row) => [row.id, row]));
  const rows: Row<'attempts'>[] = [];
  const changed = new Map<string, Changes>();
  const recorded = attempts.map((attempt) => {
    const before = deliveries.get(attempt.delivery.id);
    if (before?.status !== 'pending' || before.attempts !== attempt.row.number - 1) return undefined;
    const changes = changesOf(before, attempt);
    const after = { ...before, ...changes };
    deliveries.set(after.id, after);
    changed.set(after.id, changes);
    rows.push(finishedRow(attempt, after));
    return after;
  });
  await tx.append('attempts', rows);
  await tx.revise(
    'deliveries',
    [...changed].map(([id, changes]) => ({ id, ...changes })),
  );
  return recorded;
}

function lockRows<T extends 'endpoints' | 'deliveries'>(tx: Rows, table: T, ids: string[]): Promise<Row<T>[]> {
  const query = { where: { id: { in: [...new Set(ids)] } }, order: [['id', 'asc']], lock: true };
  return tx.list(table, query as never);
}

const statusAfter = { success: 'delivered', retry: 'pending', dead: 'failed' } as const;

type Changes = Pick<Row<'deliveries'>, 'status' | 'attempts' | 'reason' | 'response_status' | 'next_attempt_at' | 'updated_at'>;

function changesOf(before: Row<'deliveries'>, { delivery, row, verdict }: Attempt): Changes {
  const { outcome, number, response_status, ended_at } = row;
  const common = { attempts: number, response_status, updated_at: ended_at };
  // An operator asked for another attempt while this one was running: it must still be made.
  if (manualReasonOf(before) && before.next_attempt_at !== delivery.next_attempt_at) {
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

function finishedRow({ row, verdict }: Attempt, after: Row<'deliveries'>): Row<'attempts'> {
  const scheduled = verdict.kind === 'success' ? null : verdict.why;
  const why = manualReasonOf(after) ? 'An operator asked for another attempt while this one was running.' : scheduled;
  return { ...row, next_attempt_at: after.next_attempt_at, next_attempt_why: why };
}
