import type { Clock } from '../gateway/base/clock.ts';
import type { Count } from '../gateway/http/limit/limit.ts';

interface Window {
  calls: number;
  endMs: number;
}

/** Counts calls in windows that begin with their first call, as the gateway does, but on the stub's clock. */
export class StubCounters {
  readonly #clock: Clock;
  readonly #windows = new Map<string, Window>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  readonly count: Count = async (request, rule, increment) => {
    const limit = rule.max(request);
    if (limit === null) return null;
    const now = this.#clock.now();
    const key = `${rule.name}:${rule.key(request)}`;
    const known = this.#windows.get(key);
    const window = known && known.endMs > now ? known : { calls: 0, endMs: now + rule.windowMs };
    if (increment) {
      window.calls += 1;
      this.#windows.set(key, window);
    }
    const remaining = Math.max(0, limit - window.calls);
    const exceeded = increment ? window.calls > limit : remaining === 0;
    // Rounded up: a client that waits this long finds the window at its end.
    const resetSeconds = Math.ceil((window.endMs - now) / 1000);
    return { state: { name: rule.name, limit, remaining, resetSeconds }, exceeded };
  };

  reset(): void {
    this.#windows.clear();
  }
}

/** Counts nothing: no call is limited. */
export const unlimited: Count = async () => null;
