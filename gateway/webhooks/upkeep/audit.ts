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
/** Between two steps of the first walk through everything that is kept. */
const pauseMs = 1000;
/** For how long after its fan-out an event is looked at in each round; longer than a transaction takes to be seen. */
const recentMs = 600_000;
/** Bounds of one round: old slices in turn, those that did not balance, and new ones. */
const atOnce = { old: 10, suspect: 10, new: 24 };

/**
 * Keeps the difference between the deliveries that events came to and those that are there, so that whoever reads it
 * asks nobody. Events are audited in slices of an hour, by their ids: first all of them, then in each round the newest,
 * those that did not balance, and some old ones in turn.
 */
export class Auditor {
  readonly #parts: AuditParts;
  /** By the start of the slice; those that balance are absent, and so is what retention took whole. */
  readonly #differences = new Map<number, number>();
  /** Up to where the walk through all slices came. */
  #position = 0;
  #walkedAll = false;
  /** The oldest event whose fan-out was owed, as each recent round saw it. */
  #owed: { seenAt: number; from: number }[] = [];
  #awaiting = Number.NaN;
  #failed = false;
  #asOf: number | null = null;
  #cancel: (() => void) | undefined;
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(parts: AuditParts) {
    this.#parts = parts;
  }

  /** 0, or something was lost; not a number while the store cannot be read. Of the slices audited so far at the start. */
  get unaccounted(): number {
    if (this.#failed) return Number.NaN;
    return [...this.#differences.values()].reduce((total, difference) => total + difference, 0);
  }

  /** Events whose fan-out is owed. */
  get awaitingFanOut(): number {
    return this.#failed ? Number.NaN : this.#awaiting;
  }

  /** When the last round ended that could read the store, in milliseconds since 1970. */
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
      this.#failed = false;
      this.#asOf = clock.now();
    } catch (error) {
      this.#failed = true;
      log.error({ err: error }, 'audit.failed');
    }
    if (this.#closed) return;
    this.#cancel = clock.after(this.#walkedAll || this.#failed ? everyMs : pauseMs, () => this.start());
  }

  /** One round, or one step of the first walk. */
  async round(): Promise<void> {
    this.#awaiting = await this.#parts.store.count('events', { fanned_out_at: null });
    if (this.#walkedAll) {
      await this.#auditFrom(await this.#newest(), atOnce.new);
      for (const slice of [...this.#differences.keys()].slice(0, atOnce.suspect)) await this.#audit(slice);
    }
    await this.#walk();
  }

  /** Goes on through all slices; after the last one from the first again. */
  async #walk(): Promise<void> {
    const end = await this.#auditFrom(this.#position, atOnce.old);
    this.#walkedAll ||= end === undefined;
    this.#position = end ?? 0;
  }

  /** From where on the number of deliveries may still change: the oldest event whose fan-out is owed, or was lately. */
  async #newest(): Promise<number> {
    const { store, clock } = this.#parts;
    const now = clock.now();
    const [owed] = await store.list('events', { where: { fanned_out_at: null }, order: [['id', 'asc']], limit: 1 });
    const [last] = await store.list('events', { order: [['id', 'desc']], limit: 1 });
    this.#owed = this.#owed.filter(({ seenAt }) => seenAt > now - recentMs);
    if (owed) this.#owed.push({ seenAt: now, from: timeOfId(owed.id) });
    const newest = last ? timeOfId(last.id) : now;
    const from = Math.min(newest - recentMs, ...this.#owed.map((one) => one.from));
    return Math.max(from, newest - (atOnce.new - 1) * sliceMs);
  }

  /** Audits the slices that hold anything, from this moment on; where the next one may begin, undefined if there is none. */
  async #auditFrom(fromMs: number, atMost: number): Promise<number | undefined> {
    let from = startOf(fromMs);
    for (let audited = 0; audited < atMost; audited++) {
      if (this.#closed) return from;
      const slice = await this.#nextSlice(from);
      if (slice === undefined) return undefined;
      await this.#audit(slice);
      from = slice + sliceMs;
    }
    return from;
  }

  /** The start of the first slice, from this one on, with an event or with deliveries whose event is not there. */
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
    // To the end of the line, so that each has its turn where many do not balance.
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
