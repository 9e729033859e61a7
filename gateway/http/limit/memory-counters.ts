import type { Clock } from '../../base/clock.ts';
import { type Count, countedOf, maxOf } from './limit.ts';

/** The times at which calls with one key were accepted, the oldest first. Those before `first` are older than the window. */
interface Log {
  times: number[];
  first: number;
  windowMs: number;
  /** When it was last moved to the end of the map: at most one window before its newest call. */
  placedMs: number;
}

/** Bounds the memory. If there are more, the log that was moved to the end longest ago is forgotten. */
const maxLogs = 100_000;

/** Counts the calls of this process in the last window, whenever that begins. It always answers, and at once. */
export class MemoryCounters {
  readonly #clock: Clock;
  readonly #logs = new Map<string, Log>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  readonly count: Count = (request, rule, increment) => {
    const limit = maxOf(rule, request);
    if (limit === null) return null;
    const now = this.#clock.now();
    const log = this.#logOf(`${rule.name}:${rule.key(request)}`, now, rule.windowMs, increment);
    dropUntil(log, now - rule.windowMs);
    const { times, first } = log;
    const isFull = times.length - first >= limit;
    if (increment && !isFull) times.push(now);
    // If the limit became smaller, there may be more calls than it allows. It is free again when the calls in the window are
    // fewer than the limit.
    const freed = times[Math.max(first, times.length - limit)] ?? now;
    return countedOf(rule, limit, { isFull, calls: times.length - first, freeInMs: freed + rule.windowMs - now });
  };

  /** The log of a key, or a new one. A new one is kept only if the call counts. */
  #logOf(key: string, now: number, windowMs: number, keep: boolean): Log {
    const known = this.#logs.get(key);
    if (known && (!keep || now - known.placedMs < windowMs)) return known;
    const log = known ?? { times: [], first: 0, windowMs, placedMs: now };
    if (!keep) return log;
    log.placedMs = now;
    // Removed and added again, so that it is at the end of the map.
    this.#logs.delete(key);
    this.#forget(now);
    this.#logs.set(key, log);
    return log;
  }

  /** Removes logs without a call in the last window, and makes room for one more. */
  #forget(now: number): void {
    for (const [key, { placedMs, windowMs }] of this.#logs) {
      if (this.#logs.size < maxLogs && now - placedMs < 2 * windowMs) return;
      this.#logs.delete(key);
    }
  }

  /** Returns counters that have counted the same calls. */
  copy(): MemoryCounters {
    const copy = new MemoryCounters(this.#clock);
    for (const [key, log] of this.#logs) copy.#logs.set(key, { ...log, times: [...log.times] });
    return copy;
  }

  reset(): void {
    this.#logs.clear();
  }
}

function dropUntil(log: Log, ms: number): void {
  while ((log.times[log.first] ?? Number.POSITIVE_INFINITY) <= ms) log.first++;
  // The array is cut seldom, so that a call costs the same under every limit.
  if (log.first < 32 || log.first * 2 < log.times.length) return;
  log.times.splice(0, log.first);
  log.first = 0;
}
