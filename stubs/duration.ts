import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { durationForms, parseDuration } from '../gateway/base/duration.ts';

/** Milliseconds of `72h`, `1h30m` or `500ms`, or of a number of milliseconds. Throws `CouldNotRun` for anything else. */
export function durationMs(duration: string | number): number {
  if (typeof duration === 'number' && Number.isFinite(duration) && duration >= 0) return duration;
  const ms = parseDuration(String(duration));
  if (ms === undefined) throw new CouldNotRun(`"${duration}" is not a duration. ${durationForms}`);
  return ms;
}

/** Times are written with four digits for the year. */
const latestMs = Date.UTC(9999, 11, 31);

/** Throws `CouldNotRun` if a clock that shows `nowMs` cannot be advanced by `byMs`. */
export function checkAdvance(nowMs: number, byMs: number): void {
  if (nowMs + byMs > latestMs) throw new CouldNotRun('The clock cannot be advanced beyond the year 9999.');
}
