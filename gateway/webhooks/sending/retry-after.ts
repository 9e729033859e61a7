/** How long Retry-After asks to wait, in milliseconds; null where it says nothing that can be used (RFC 9110, 10.2.3). */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | null {
  if (value === undefined) return null;
  const text = value.trim();
  if (/^[0-9]{1,15}$/.test(text)) return Number(text) * 1000;
  // Only the forms of an HTTP date begin with a day's name; Date.parse alone would take almost anything.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return null;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}
