import type { Clock } from '../../base/clock.ts';
import { type Count, maxOf } from './limit.ts';

interface Window {
  calls: number;
  endMs: number;
}

/** Bounds the memory. Beyond it, the window that began first is forgotten. */
const maxWindows = 100_000;

/** Counts the calls of this process in windows that begin with their first call. It always answers, and at once. */
export class MemoryCounters {
  readonly #clock: Clock;
  readonly #windows = new Map<string, Window>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  readonly count: Count = (request, rule, increment) => {
    const limit = maxOf(rule, request);
    if (limit === null) return null;
    const now = this.#clock.now();
    const window = this.#windowOf(`${rule.name}:${rule.key(request)}`, now, rule.windowMs, increment);
    if (increment) window.calls += 1;
    const remaining = Math.max(0, limit - window.calls);
    const exceeded = increment ? window.calls > limit : remaining === 0;
    // Rounded up: a client that waits this long finds the window at its end.
    const resetSeconds = Math.ceil((window.endMs - now) / 1000);
    return { state: { name: rule.name, limit, remaining, resetSeconds }, exceeded };
  };

  /** The running window of a key, or a new one. A new one is kept only if the call counts. */
  #windowOf(key: string, now: number, windowMs: number, keep: boolean): Window {
    const known = this.#windows.get(key);
    if (known && known.endMs > now) return known;
    const window = { calls: 0, endMs: now + windowMs };
    if (!keep) return window;
    // Removed first, so that the map stays in the order in which windows began.
    this.#windows.delete(key);
    if (this.#windows.size >= maxWindows) this.#windows.delete(this.#windows.keys().next().value as string);
    this.#windows.set(key, window);
    return window;
  }

  reset(): void {
    this.#windows.clear();
  }
}
