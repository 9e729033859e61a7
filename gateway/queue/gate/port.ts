/** An attempt that asks to start, and its endpoint's limits. */
export interface Entry {
  endpointId: string;
  deliveryId: string;
  /** Maximum attempts in flight. */
  maxInFlight: number;
  /** Maximum attempts started per second; null means no maximum. */
  maxPerSecond: number | null;
}

/**
 * Limits attempts in flight, and attempts started per second, for each endpoint over all processes. An admitted attempt
 * holds a lease until it leaves. The lease of a killed process expires. Adapters: `memory.ts` (one process) and `redis.ts`;
 * both pass `test/queue/gate-conformance.ts`.
 */
export interface Gate {
  /**
   * Returns for each entry, in order, `null` if it is admitted, or after how many milliseconds to ask again. A delivery
   * that already holds a lease is always admitted.
   */
  enter(entries: readonly Entry[]): Promise<(number | null)[]>;
  leave(entries: readonly Pick<Entry, 'endpointId' | 'deliveryId'>[]): Promise<void>;
  /** Returns how many leases each endpoint has given out; null if that is unknown. */
  inFlight(endpointIds: readonly string[]): Promise<(number | null)[]>;
}

/** How long to wait for a lease. When an attempt will end is unknown. */
export const lookAgainMs = 200;
