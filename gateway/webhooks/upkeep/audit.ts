import type { Clock } from '../../base/clock.ts';
import { firstIdAt, timeOfId } from '../../base/ids.ts';
import type { Logger } from '../../base/log.ts';
import type { Rows, Store } from '../../store/port.ts';

export interface AuditParts {
  store: Store;
  clock: Clock;
  log: Logger;
}

const sliceMs = 3_600_000;
const everyMs = 15_000;
/** The pause between steps of the first walk through all slices. */
const stepMs = 1000;
/** How long after its fan-out an event is audited in each round. No transaction takes as long to become visible. */
const recentMs = 600_000;
/** The number of slices that one round audits: old ones in turn, unbalanced ones in turn, and the newest. */
const slicesPerRound = { old: 10, unbalanced: 10, newest: 24 };

/**
 * Counts the deliveries that should be in the ledger and are not, and keeps the number in memory, so that reading it costs
 * nothing. It audits events in slices of an hour: first all slices, then in each round the newest, unbalanced and some old ones.
 */
export class Auditor {
  readonly #parts: AuditParts;
  /** Missing deliveries by the start of their slice, for unbalanced slices only. */
  readonly #differences = new Map<number, number>();
  /** The slice at which the walk through all slices continues. */
  #position = 0;
  #hasWalkedAll = false;
  /** The creation time of the oldest event that waited for its fan-out, as each recent round saw it. */
  #oldestWaiting: { seenAt: number; from: number }[] = [];
  #awaitingFanOut = Number.NaN;
  #hasFailed = false;
  #asOf: number | null = null;
  #cancel: (() => void) | undefined;
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(parts: AuditParts) {
    this.#parts = parts;
  }

  /** Missing deliveries: anything but 0 means a loss. NaN while the store cannot be read. Until the first walk ends, of the slices audited so far. */
  get unaccounted(): number {
    if (this.#hasFailed) return Number.NaN;
    return [...this.#differences.values()].reduce((total, difference) => total + difference, 0);
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
    if (this.#hasWalkedAll) {
      await this.#auditFrom(await this.#startOfNewest(), slicesPerRound.newest);
      for (const slice of [...this.#differences.keys()].slice(0, slicesPerRound.unbalanced)) await this.#audit(slice);
    }
    await this.#walk();
  }

  /** Continues the walk through all slices; after the last one it starts again. */
  async #walk(): Promise<void> {
    const end = await this.#auditFrom(this.#position, slicesPerRound.old);
    this.#hasWalkedAll ||= end === undefined;
    this.#position = end ?? 0;
  }

  /** Returns since when deliveries may still be created: the time of the oldest event that waits for its fan-out or waited recently. */
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

  /** Audits up to `maxSlices` slices from `fromMs` on. Returns where the next one may begin, or undefined after the last. */
  async #auditFrom(fromMs: number, maxSlices: number): Promise<number | undefined> {
    let from = startOf(fromMs);
    for (let audited = 0; audited < maxSlices; audited++) {
      if (this.#closed) return from;
      const slice = await this.#nextSlice(from);
      if (slice === undefined) return undefined;
      await this.#audit(slice);
      from = slice + sliceMs;
    }
    return from;
  }

  /** Returns the start of the next slice that is not empty. A delivery without its event counts too. */
  async #nextSlice(from: number): Promise<number | undefined> {
    const { store } = this.#parts;
    const here = { gte: firstIdAt('evt', from) };
    const [event] = await store.list('events', { where: { id: here }, order: [['id', 'asc']], limit: 1 });
    const [delivery] = await store.list('deliveries', { where: { event_id: here }, order: [['event_id', 'asc']], limit: 1 });
    const ids = [event?.id, delivery?.event_id].filter((id) => id !== undefined);
    const starts = ids.map((id) => startOf(timeOfId(id))).filter((start) => start >= from);
    return starts.length > 0 ? Math.min(...starts) : undefined;
  }

  async #audit(slice: number): Promise<void> {
    const difference = await this.#parts.store.transaction((tx) => differenceIn(tx, slice), { snapshot: true });
    const before = this.#differences.get(slice) ?? 0;
    // Deleted first, so that an unbalanced slice moves to the end and every one gets its turn.
    this.#differences.delete(slice);
    if (difference !== 0) this.#differences.set(slice, difference);
    if (difference === before) return;
    const report = { from: new Date(slice).toISOString(), unaccounted: difference, before };
    this.#parts.log[difference === 0 ? 'info' : 'error'](report, 'ledger.difference');
  }
}

const startOf = (atMs: number) => Math.floor(atMs / sliceMs) * sliceMs;

async function differenceIn(tx: Rows, slice: number): Promise<number> {
  const ids = { gte: firstIdAt('evt', slice), lt: firstIdAt('evt', slice + sliceMs) };
  const [events] = await tx.summarize('events', { by: [], sum: ['matched'], where: { id: ids } });
  return Number(events?.matched ?? 0) - (await tx.count('deliveries', { event_id: ids }));
}
