import type { Clock } from '../../base/clock.ts';
import { timeOfId } from '../../base/ids.ts';
import type { Logger } from '../../base/log.ts';
import { allDifferences, isBalanced, type LedgerDifferences, totalDifferences } from '../../figures/ledger.ts';
import type { Store } from '../../store/port.ts';
import { differencesIn, maxCompared, quickDifference, sliceMs, startsOf } from './differences.ts';

export interface AuditParts {
  store: Store;
  clock: Clock;
  log: Logger;
  /** How long retention keeps attempts and events, in hours. Without a number, for ever. */
  attemptHours?: number | undefined;
  deliveryHours?: number | undefined;
}

const everyMs = 15_000;
/** The pause between steps of the first walk through all slices. */
const stepMs = 1000;
/** How long after its fan-out an event is audited in each round. This is longer than any transaction takes to become visible. */
const recentMs = 600_000;
/** The number of slices that one round audits: old ones in turn, unbalanced ones in turn, and the newest. */
const slicesPerRound = { old: 10, unbalanced: 10, newest: 24 };

/**
 * Counts the rows that are missing from the ledger, and those that are too many, and keeps the numbers in memory, so that
 * reading them costs nothing. It works in slices of an hour: first all slices, then in each round the newest, unbalanced and
 * some old ones. The newest are compared by sums of deliveries, which finds most losses at once; the others row by row.
 */
export class Auditor {
  readonly #parts: AuditParts;
  /** By the start of their slice, for unbalanced slices only. */
  readonly #differences = new Map<number, LedgerDifferences>();
  /** The slice at which the walk through all slices continues. */
  #position = 0;
  #hasWalkedAll = false;
  /** The creation time of the oldest event that waited for its fan-out, as each recent round saw it. */
  #oldestWaiting: { seenAt: number; from: number }[] = [];
  #awaitingFanOut = Number.NaN;
  #oldestDueMs = Number.NaN;
  #hasFailed = false;
  #asOf: number | null = null;
  #cancel: (() => void) | undefined;
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(parts: AuditParts) {
    this.#parts = parts;
  }

  /**
   * Rows that are missing and rows that are too many: anything but 0 is a fault. A loss and a surplus do not cancel out. NaN
   * while the store cannot be read. Until the first walk ends, only the slices that were audited count.
   */
  get differences(): LedgerDifferences {
    return this.#hasFailed ? allDifferences(Number.NaN) : totalDifferences(this.#differences.values());
  }

  /**
   * How long the oldest delivery that is due had waited for its attempt at the last round, in milliseconds. Deliveries that
   * wait for room at their endpoint do not count. NaN while the store cannot be read.
   */
  get oldestDueMs(): number {
    return this.#hasFailed ? Number.NaN : this.#oldestDueMs;
  }

  /** Events that wait for their fan-out; NaN while the store cannot be read. */
  get awaitingFanOut(): number {
    return this.#hasFailed ? Number.NaN : this.#awaitingFanOut;
  }

  /** When the last successful round ended, in milliseconds since 1970; null before the first. */
  get asOf(): number | null {
    return this.#asOf;
  }

  start(): void {
    this.#running = this.#run();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel?.();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock, log } = this.#parts;
    try {
      await this.round();
      this.#hasFailed = false;
      this.#asOf = clock.now();
    } catch (error) {
      this.#hasFailed = true;
      log.error({ err: error }, 'audit.failed');
    }
    if (this.#closed) return;
    this.#cancel = clock.after(this.#hasWalkedAll || this.#hasFailed ? everyMs : stepMs, () => this.start());
  }

  /** Makes one round, or one step of the first walk. */
  async round(): Promise<void> {
    this.#awaitingFanOut = await this.#parts.store.count('events', { fanned_out_at: null });
    this.#oldestDueMs = await this.#ageOfOldestDue();
    if (this.#hasWalkedAll) {
      await this.#auditFrom(await this.#startOfNewest(), slicesPerRound.newest, (slice) => this.#compareSums(slice));
      for (const slice of [...this.#differences.keys()].slice(0, slicesPerRound.unbalanced)) await this.#compareRows(slice);
    }
    await this.#walk();
  }

  /** Continues the walk through all slices; after the last one it starts again. The first walk is quick. */
  async #walk(): Promise<void> {
    const audit = (slice: number) => (this.#hasWalkedAll ? this.#compareRows(slice) : this.#compareSums(slice));
    const end = await this.#auditFrom(this.#position, slicesPerRound.old, audit);
    this.#hasWalkedAll ||= end === undefined;
    this.#position = end ?? 0;
  }

  async #ageOfOldestDue(): Promise<number> {
    const { store, clock } = this.#parts;
    const where = { status: 'pending', parked: false, next_attempt_at: { not: null } } as const;
    const [oldest] = await store.list('deliveries', { where, order: [['next_attempt_at', 'asc']], limit: 1 });
    return Math.max(0, clock.now() - (oldest?.next_attempt_at ?? Number.POSITIVE_INFINITY));
  }

  /**
   * Returns the time of the oldest event that waits for its fan-out, or waited recently. Deliveries of later events may still be
   * created.
   */
  async #startOfNewest(): Promise<number> {
    const { store, clock } = this.#parts;
    const now = clock.now();
    const [waiting] = await store.list('events', { where: { fanned_out_at: null }, order: [['id', 'asc']], limit: 1 });
    const [last] = await store.list('events', { order: [['id', 'desc']], limit: 1 });
    this.#oldestWaiting = this.#oldestWaiting.filter(({ seenAt }) => seenAt > now - recentMs);
    if (waiting) this.#oldestWaiting.push({ seenAt: now, from: timeOfId(waiting.id) });
    const newest = last ? timeOfId(last.id) : now;
    const from = Math.min(newest - recentMs, ...this.#oldestWaiting.map((one) => one.from));
    return Math.max(from, newest - (slicesPerRound.newest - 1) * sliceMs);
  }

  /**
   * Audits up to `maxSlices` slices from `fromMs` on, fewer if they have many rows. Returns where the next one may begin, or
   * undefined after the last. `audit` returns how many rows it compared.
   */
  async #auditFrom(fromMs: number, maxSlices: number, audit: (slice: number) => Promise<number>): Promise<number | undefined> {
    let from = startOf(fromMs);
    let rows = 0;
    for (let audited = 0; audited < maxSlices && rows < maxCompared; audited++) {
      if (this.#closed) return from;
      const slice = await this.#nextSlice(from);
      if (slice === undefined) return undefined;
      rows += await audit(slice);
      from = slice + sliceMs;
    }
    return from;
  }

  /** Returns the start of the next slice that is not empty. */
  async #nextSlice(from: number): Promise<number | undefined> {
    const starts = (await startsOf(this.#parts.store, from)).map(startOf).filter((start) => start >= from);
    return starts.length > 0 ? Math.min(...starts) : undefined;
  }

  /** Compares the sum of deliveries. Continues row by row if they differ, or if the slice is known to be unbalanced. */
  async #compareSums(slice: number): Promise<number> {
    const { store } = this.#parts;
    if (this.#differences.has(slice)) return this.#compareRows(slice);
    const difference = await store.transaction((tx) => quickDifference(tx, slice), { snapshot: true });
    return difference === 0 ? 0 : this.#compareRows(slice);
  }

  async #compareRows(slice: number): Promise<number> {
    const { store, clock, attemptHours = Number.POSITIVE_INFINITY, deliveryHours = Number.POSITIVE_INFINITY } = this.#parts;
    const ageHours = (clock.now() - slice) / sliceMs;
    // Retention has removed rows of older slices.
    const complete = { attempts: ageHours < attemptHours, events: ageHours < deliveryHours };
    const { found, rows } = await store.transaction((tx) => differencesIn(tx, slice, complete), { snapshot: true });
    const before = this.#differences.get(slice) ?? allDifferences(0);
    // Deleted first, so that an unbalanced slice moves to the end and every one gets its turn.
    this.#differences.delete(slice);
    if (!isBalanced(found)) this.#differences.set(slice, found);
    if (JSON.stringify(found) === JSON.stringify(before)) return rows;
    const report = { from: new Date(slice).toISOString(), ...found, before };
    this.#parts.log[isBalanced(found) ? 'info' : 'error'](report, 'ledger.difference');
    return rows;
  }
}

const startOf = (atMs: number) => Math.floor(atMs / sliceMs) * sliceMs;
