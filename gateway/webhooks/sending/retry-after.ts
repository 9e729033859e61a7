/** Returns the delay that a Retry-After header asks for, in milliseconds; null if it is absent or invalid (RFC 9110, 10.2.3). */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | null {
  if (value === undefined) return null;
  const text = value.trim();
  if (/^[0-9]{1,15}$/.test(text)) return Number(text) * 1000;
  // Every form of an HTTP date begins with the name of a day. Date.parse alone accepts almost anything.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return null;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}
