/** Milliseconds in each unit that a duration may be written in. */
export const unitsMs = { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Says what a duration looks like, for messages. */
export const durationForms = 'Write a number with its unit: 200ms, 1.5s, 2m, 72h or 1h30m.';

/** `72h`, `1h30m` or `500ms` in milliseconds, which may be a fraction; undefined for text that is not a duration. */
export function parseDuration(text: string): number | undefined {
  const written = text.replaceAll(' ', '');
  const parts = [...written.matchAll(/(\d{1,9}(?:\.\d{1,6})?)(ms|min|s|m|h|d)/g)];
  if (written === '' || parts.map(([part]) => part).join('') !== written) return undefined;
  const ms = parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * unitsMs[unit as keyof typeof unitsMs], 0);
  // 1.1 s is 1100 ms, not 1100.0000000000002.
  return Math.round(ms * 1e6) / 1e6;
}

/** Milliseconds in the largest unit in which they are whole, up to seconds: `2s`, `1500ms`. */
export const durationText = (ms: number): string => (ms >= 1000 && ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`);
