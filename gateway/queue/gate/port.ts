/** One attempt that wants to begin at an endpoint, and what the endpoint allows. */
export interface Entry {
  endpointId: string;
  deliveryId: string;
  /** Attempts in flight at once. */
  maxInFlight: number;
  /** Attempts begun in a second; null for as many as there are. */
  maxPerSecond: number | null;
}

/**
 * How many attempts run at once at each endpoint, and how many begin in a second, over all processes. An attempt that
 * was let in holds a lease until it leaves; the lease of a killed process ends by itself. Adapters: `gate-memory.ts`
 * (one process) and `gate-redis.ts`; both pass `test/queue/gate-conformance.ts`.
 */
export interface Gate {
  /**
   * Asks for all, in order. `null` lets one in; a number says after how many milliseconds there may be room. Who holds a
   * lease already (it was reserved for the delivery) is let in by it.
   */
  enter(entries: readonly Entry[]): Promise<(number | null)[]>;
  leave(entries: readonly Pick<Entry, 'endpointId' | 'deliveryId'>[]): Promise<void>;
  /** How many leases each of these endpoints has given out; null where that cannot be said now. */
  inFlight(endpointIds: readonly string[]): Promise<(number | null)[]>;
}

/** Room comes when an attempt ends, which nobody can know; who waits for it looks again after this long. */
export const lookAgainMs = 200;
