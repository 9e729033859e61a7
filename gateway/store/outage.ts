import type { Logger } from '../base/log.ts';
import { StoreTooSlow, StoreUnavailable } from './port.ts';
import { codeOf, lockTimeout } from './sql/errors.ts';

/** A log that tells an outage of the store in few lines, however many callers fail. */
export interface OutageLog {
  log: Logger;
  /** Called by the regular write of each process: the store has taken it. */
  written(): void;
}

const everyMs = 60_000;

type Level = 'error' | 'warn';
type Tell = (given: unknown, message?: string) => void;

/** Lines of `target` about a store that is away become one when it goes and one a minute. Another line says when it is back. */
export function tellOutages(target: Logger, elapsedMs = () => performance.now()): OutageLog {
  let outage: { sinceMs: number; toldMs: number; failures: number; failedSinceWrite: boolean } | undefined;
  const secondsSince = (ms: number) => Math.round((elapsedMs() - ms) / 1000);
  const tell = (err: StoreUnavailable, during: string | undefined) => {
    const nowMs = elapsedMs();
    outage ??= { sinceMs: nowMs, toldMs: nowMs - everyMs, failures: 0, failedSinceWrite: true };
    outage.failures += 1;
    outage.failedSinceWrite = true;
    if (nowMs - outage.toldMs < everyMs) return;
    outage.toldMs = nowMs;
    target.error({ err, during, seconds: secondsSince(outage.sinceMs), failures: outage.failures }, 'store.away');
  };
  const quiet = (level: Level): Tell => {
    return (given, message) => {
      const err = errorIn(given);
      if (isOutage(err)) tell(err, message);
      else (target[level] as Tell)(given, message);
    };
  };
  const log: Logger = Object.create(target, { error: { value: quiet('error') }, warn: { value: quiet('warn') } });
  const written = () => {
    if (!outage) return;
    const { sinceMs, failures, failedSinceWrite } = outage;
    outage.failedSinceWrite = false;
    // Calls that began before may still fail, and a full disk takes some writes. They would begin another outage at once.
    if (failedSinceWrite) return;
    target.warn({ seconds: secondsSince(sinceMs), failures }, 'store.back');
    outage = undefined;
  };
  return { log, written };
}

const errorIn = (given: unknown): unknown =>
  typeof given === 'object' && given !== null && 'err' in given ? given.err : undefined;

/** A long query and a locked row are errors of one call. */
const isOutage = (error: unknown): error is StoreUnavailable =>
  error instanceof StoreUnavailable && !(error instanceof StoreTooSlow) && codeOf(error.cause) !== lockTimeout;
