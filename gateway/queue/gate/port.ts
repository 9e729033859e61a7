/** A delivery whose attempt is to start, and its endpoint's limits. */
export interface Entry {
  endpointId: string;
  deliveryId: string;
  maxInFlight: number;
  /** Maximum attempts started per second; null means no maximum. */
  maxPerSecond: number | null;
  /** An operator asked for this attempt by itself: it counts like any other, but does not wait for the limits. */
  urgent?: boolean;
  /** The endpoint has a limit of its own or is ordered: if the gate cannot tell, its attempts wait. Others start. */
  strict?: boolean;
  /**
   * A lease of the same endpoint that `enter` gives back first, so that this attempt gets its room. The delivery of this entry
   * was taken out of a lane. If it has a place already, the lane has released it meanwhile, and the answer is `running`.
   */
  instead?: Lease | undefined;
}

export type Names = Pick<Entry, 'endpointId' | 'deliveryId'>;

/**
 * `admitted`: it may start in `ms`. `full`: the endpoint has no room; ask again after `ms`. `running`: an attempt of the
 * delivery is in flight, in any process, and its lease ends in `ms` at the latest.
 */
export interface Answer {
  kind: 'admitted' | 'full' | 'running';
  /** Milliseconds, 0 or more. */
  ms: number;
}

/** The answer to an attempt. An admitted one has a lease, which it gives back. */
export type Entered =
  | { kind: 'admitted'; ms: number; lease: Lease }
  | { kind: 'full'; ms: number }
  | { kind: 'running'; ms: number };

/**
 * The right to make one attempt. After it has expired, the same delivery may have another lease, which belongs to another
 * attempt.
 */
export interface Lease extends Names {
  /** On the clock of the gate that gave it. */
  endsMs: number;
}

/**
 * Limits attempts in flight and attempts started per second for each endpoint, and the attempts of one delivery to one at a
 * time, over all processes. An attempt holds a lease until it is recorded. The lease of a killed process expires. Starts
 * at an endpoint with a limit per second are spaced evenly. A delivery that waits in a lane gets a place first: it counts
 * as in flight until its job enters or the place expires. Adapters: `memory.ts` (one process) and `redis.ts`; both pass
 * `test/queue/gate-conformance.ts`.
 */
export interface Gate {
  /** Asks for leases, in order. An admitted attempt must not start before its time. */
  enter(entries: readonly Entry[]): Promise<Entered[]>;
  /** Gives leases back. A lease that has already expired is ignored. */
  leave(leases: readonly Lease[]): Promise<void>;
  /** Asks for places, in order; `ms` of an admitted one says when its job should run. A delivery has one place at most. */
  reserve(entries: readonly Entry[]): Promise<Answer[]>;
  /** Gives back places that no job will use. */
  release(places: readonly Names[]): Promise<void>;
  /**
   * Asks for a later start of attempts that hold leases, because they missed the one they had. Returns the milliseconds to
   * wait.
   */
  delay(entries: readonly Entry[]): Promise<number[]>;
  /** Returns how many leases and places each endpoint has given out; null if that is unknown. */
  inFlight(endpointIds: readonly string[]): Promise<(number | null)[]>;
}

/** How long to wait before asking again for a lease, because it is unknown when an attempt will end. */
export const lookAgainMs = 200;
/** How far ahead of its start an attempt that has no place may enter. It waits in memory. */
export const maxWaitMs = 100;
/** How far ahead of its start a delivery may get a place. Its job waits in the queue. */
export const maxAheadMs = 2000;
/** How long before its start the job of a delivery with a place should run, because the queue is sometimes late. */
export const earlyMs = 200;
/**
 * A start that is late by no more than this does not delay the next ones, so that the limit is used in full. In any second
 * there are at most a twentieth more starts than the limit, and one.
 */
export const toleranceMs = 50;
/** How long a place is kept for its job. A job that comes later is treated as one without a place. */
export const placeMs = 10_000;
