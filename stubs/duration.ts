import { CouldNotRun } from '../contracts/tools/could-not-run.ts';

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of a number of them, or of a text such as `27h`, `1h30m`, `500ms`. */
export function durationMs(duration: string | number): number {
  if (typeof duration === 'number' && Number.isFinite(duration) && duration >= 0) return duration;
  const text = String(duration).replaceAll(' ', '');
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|min|s|m|h|d)/g)];
  if (text === '' || parts.map(([part]) => part).join('') !== text)
    throw new CouldNotRun(`"${duration}" is not a duration. Write 27h, 1h30m, 45s or 500ms, or a number of milliseconds.`);
  return parts.reduce((sum, [, amount, unit = 'ms']) => sum + Number(amount) * (unitsMs[unit] ?? 1), 0);
}
