import type { Entry, Gate } from '../../queue/gate/port.ts';

/** Attempts in flight at all slow endpoints together, as a multiple of the attempts that this process works on at once. */
const slowFactor = 2;

/**
 * Divides attempts in flight among the endpoints that are slow to answer. Each slow attempt occupies a worker until it leaves its
 * job, so many endpoints that never answer would otherwise delay all others. If there are only a few such endpoints, they keep
 * their own limits.
 */
export class SlowShares {
  /** Slow attempts in flight, by endpoint. */
  readonly #slow = new Map<string, number>();
  readonly #most: number;

  constructor({ concurrency }: { concurrency: number }) {
    this.#most = concurrency * slowFactor;
  }

  has(endpointId: string): boolean {
    return this.#slow.has(endpointId);
  }

  /** Counts an attempt as slow until its request ends. */
  async count(endpointId: string, request: Promise<unknown>): Promise<void> {
    this.#slow.set(endpointId, (this.#slow.get(endpointId) ?? 0) + 1);
    await Promise.allSettled([request]);
    const left = (this.#slow.get(endpointId) ?? 1) - 1;
    if (left > 0) this.#slow.set(endpointId, left);
    else this.#slow.delete(endpointId);
  }

  /** Returns the gate with the shares as a further limit. An urgent attempt has no limit, here either. */
  limited(gate: Gate): Gate {
    const limit = (entries: readonly Entry[]) => entries.map((entry) => this.#limit(entry));
    return {
      enter: (entries) => gate.enter(limit(entries)),
      leave: (leases) => gate.leave(leases),
      reserve: (entries) => gate.reserve(limit(entries)),
      release: (places) => gate.release(places),
      delay: (entries) => gate.delay(entries),
      inFlight: (endpointIds) => gate.inFlight(endpointIds),
    };
  }

  #limit(entry: Entry): Entry {
    if (entry.urgent || !this.#slow.has(entry.endpointId)) return entry;
    const share = Math.max(1, Math.floor(this.#most / this.#slow.size));
    return share < entry.maxInFlight ? { ...entry, maxInFlight: share } : entry;
  }
}
