import { systemTimers, type Timers } from '../../base/clock.ts';
import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import type { OnWrite } from '../../store/watch.ts';
import { beginning, isBefore, nextEvents, type Place, type Reader, wantsEvent } from './feed.ts';

/** How often the store is asked while somebody waits, and how soon after a write of this process. */
const [everyMs, soonMs] = [500, 20];
const mostRead = 1000;

interface Waiter {
  reader: Reader;
  /** No event before it is wanted. */
  place: Place;
  end(): void;
}

export interface Wait {
  reader: Reader;
  after: Place;
  /** Ends the wait. */
  signal: AbortSignal;
}

/** Lets readers wait for their next event. Even if many wait, only one query at a time goes to the store. */
export class Arrivals {
  readonly #rows: Rows;
  readonly #timers: Timers;
  readonly #waiting = new Set<Waiter>();
  /** Events up to here were compared with what each waiter wants. */
  #place = beginning;
  #cancel: (() => void) | undefined;
  #asking = false;
  #isSoon = false;
  #closed = false;

  constructor({ store, onWrite }: { store: Rows; onWrite: OnWrite }, timers: Timers = systemTimers) {
    this.#rows = store;
    this.#timers = timers;
    onWrite('events', () => this.#askSoon());
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Resolves when there may be an event that the reader wants, or when the signal aborts. Returns a place before which there is none. */
  wait({ reader, after, signal }: Wait): Promise<Place> {
    const isIdle = this.#waiting.size === 0 && !this.#asking;
    // The waiters have already compared events that this reader has not read. So it must read again before it waits.
    const isBehind = !isIdle && isBefore(after, this.#place);
    if (this.#closed || signal.aborted || isBehind) return Promise.resolve(after);
    if (isIdle) this.#place = after;
    return new Promise((resolve) => {
      const waiter: Waiter = {
        reader,
        place: after,
        end: () => {
          signal.removeEventListener('abort', waiter.end);
          this.#waiting.delete(waiter);
          resolve(waiter.place);
        },
      };
      signal.addEventListener('abort', waiter.end);
      this.#waiting.add(waiter);
      this.#schedule();
    });
  }

  /** Ends all waits. */
  close(): void {
    this.#closed = true;
    this.#cancel?.();
    for (const waiter of [...this.#waiting]) waiter.end();
  }

  #askSoon(): void {
    this.#isSoon = true;
    if (this.#waiting.size === 0 || this.#asking) return;
    this.#cancel?.();
    this.#schedule();
  }

  #schedule(): void {
    if (this.#asking || this.#closed || (this.#cancel && !this.#isSoon)) return;
    this.#cancel = this.#timers.after(this.#isSoon ? soonMs : everyMs, () => void this.#ask());
    this.#isSoon = false;
  }

  async #ask(): Promise<void> {
    this.#cancel = undefined;
    if (this.#waiting.size === 0) return;
    this.#asking = true;
    try {
      const events = await nextEvents(this.#rows, this.#place, mostRead);
      for (const waiter of [...this.#waiting]) compare(waiter, events);
      this.#place = events.at(-1) ?? this.#place;
      this.#isSoon ||= events.length === mostRead;
    } catch {
      // The store is away. The next round asks again.
    } finally {
      this.#asking = false;
    }
    if (this.#waiting.size > 0) this.#schedule();
  }
}

/** Ends the wait at the first event that the reader wants. */
function compare(waiter: Waiter, events: readonly Row<'events'>[]): void {
  for (const event of events) {
    if (!isBefore(waiter.place, event)) continue;
    if (wantsEvent(waiter.reader, event)) {
      waiter.end();
      return;
    }
    waiter.place = { position: event.position, id: event.id };
  }
}
