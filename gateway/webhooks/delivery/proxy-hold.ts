import { pause, type Timers } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { Exchange } from '../sending/exchange.ts';

/** While the proxy fails, one job in this time is let through to try it. */
const tryEveryMs = 1000;
/** A hold ends this long after the last failure: the jobs that were let through may have sent nothing. */
const longestMs = 30_000;

export interface ProxyHoldParts {
  timers: Timers;
  log: Logger;
}

/**
 * Holds all deliveries of this process while its proxy fails. Each second one job goes through. The first answer of a receiver ends
 * the hold, and so do 30 seconds without another failure. Different jobs try, because a proxy that reached nobody yet cannot be told
 * from a receiver that is away.
 */
export class ProxyHold {
  readonly #parts: ProxyHoldParts;
  readonly #stopping = new AbortController();
  #hold: { why: string; over: AbortController; nextTryMs: number; endsMs: number } | null = null;

  constructor(parts: ProxyHoldParts) {
    this.#parts = parts;
  }

  /** Why the proxy failed last; null while it works. */
  get failure(): string | null {
    return this.#hold?.why ?? null;
  }

  /** Resolves when a job may go on: to true, or to false if this process closes before. */
  async ready(): Promise<boolean> {
    const { timers } = this.#parts;
    while (this.#hold && !this.#stopping.signal.aborted) {
      if (timers.elapsed() >= this.#hold.endsMs) {
        this.#end();
        return true;
      }
      const waitMs = this.#hold.nextTryMs - timers.elapsed();
      if (waitMs <= 0) {
        this.#hold.nextTryMs = timers.elapsed() + tryEveryMs;
        return true;
      }
      await pause(timers, waitMs, AbortSignal.any([this.#hold.over.signal, this.#stopping.signal]));
    }
    return !this.#stopping.signal.aborted;
  }

  /** Learns from the result of a request. */
  note({ proxyFailed, error, status }: Exchange): void {
    const { timers, log } = this.#parts;
    if (proxyFailed) {
      const why = error ?? 'The proxy failed.';
      if (!this.#hold) log.error({ why }, 'proxy.failing');
      this.#hold ??= { why, over: new AbortController(), nextTryMs: timers.elapsed() + tryEveryMs, endsMs: 0 };
      Object.assign(this.#hold, { why, endsMs: timers.elapsed() + longestMs });
    } else if (status !== null && this.#hold) {
      log.warn('proxy.works');
      this.#end();
    }
  }

  #end(): void {
    this.#hold?.over.abort();
    this.#hold = null;
  }

  /** Ends all waits. */
  stop(): void {
    this.#stopping.abort();
  }
}
