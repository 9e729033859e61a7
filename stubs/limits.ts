import type { Clock } from '../gateway/base/clock.ts';
import type { Count } from '../gateway/http/limit/limit.ts';

interface Window {
  calls: number;
  endMs: number;
}

/** Counts calls as the gateway does, in windows that begin with their first call; on the stub's clock, and from 0 again. */
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
    return { state: { name: rule.name, limit, remaining, resetSeconds: Math.ceil((window.endMs - now) / 1000) }, exceeded };
  };

  clear(): void {
    this.#windows.clear();
  }
}

/** No limits. */
export const uncounted: Count = async () => null;
