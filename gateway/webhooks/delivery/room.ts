import type { Timers } from '../../base/clock.ts';
import type { SlowShares } from './shares.ts';

/** The longest that a job waits in this process. Then it is parked, so that jobs of other endpoints get its place. */
const maxWaitMs = 3000;
/** The share of a process's attempts that may wait for room. The rest is for jobs of endpoints that have room. */
const waitingShare = 0.9;

export interface RoomParts {
  timers: Timers;
  slow: Pick<SlowShares, 'has'>;
  /** Attempts that this process works on at once. */
  concurrency: number;
}

/** A job that found its endpoint full. */
export interface Waiting {
  endpointId: string;
  /** Attempts in flight at once at the endpoint. */
  maxInFlight: number;
  /** When the job first asked, on the timers' clock. */
  sinceMs: number;
  /** When the gate expects room, in milliseconds from now. */
  ms: number;
}

/**
 * The jobs that wait in this process for room at their endpoints. Most endpoints have room again in a moment, and parking a
 * delivery costs two writes and a job. Uses timers, as sockets do, and not the gateway's clock.
 */
export class Room {
  readonly #parts: RoomParts;
  /** Functions that let a waiting job ask again, by endpoint, the longest waiting job first. */
  readonly #waiting = new Map<string, Set<() => void>>();
  #count = 0;

  constructor(parts: RoomParts) {
    this.#parts = parts;
  }

  /** Call it when an attempt at the endpoint has given its lease back. */
  freed(endpointId: string): void {
    const waiting = this.#waiting.get(endpointId);
    const [wake] = waiting ?? [];
    if (!wake) return;
    waiting?.delete(wake);
    wake();
  }

  /**
   * Resolves to true when the job should ask the gate again: an attempt of this process has ended there, or one of another
   * process may have. Resolves to false at once if it should be parked: its receiver is slow, room is too far away, or many
   * jobs wait already.
   */
  async wait({ endpointId, maxInFlight, sinceMs, ms }: Waiting): Promise<boolean> {
    const { timers, slow, concurrency } = this.#parts;
    const waiting = this.#waiting.get(endpointId) ?? new Set();
    if (slow.has(endpointId) || timers.elapsed() + ms > sinceMs + maxWaitMs) return false;
    if (waiting.size >= maxInFlight || this.#count >= concurrency * waitingShare) return false;
    this.#waiting.set(endpointId, waiting);
    this.#count += 1;
    const { promise: woken, resolve: wake } = Promise.withResolvers<void>();
    waiting.add(wake);
    const cancel = timers.after(ms, wake);
    await woken;
    cancel();
    waiting.delete(wake);
    this.#count -= 1;
    if (waiting.size === 0) this.#waiting.delete(endpointId);
    return true;
  }
}
