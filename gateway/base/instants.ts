const form = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

/** Parses a date with a time and an offset (RFC 3339). Returns milliseconds since 1970; undefined for other texts and impossible days. */
export function parseInstant(text: string): number | undefined {
  const [, year, month, day] = form.exec(text) ?? [];
  if (day === undefined) return undefined;
  // V8 takes the 30th of February for the second of March.
  const isDay = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day);
  const atMs = Date.parse(text);
  return isDay && !Number.isNaN(atMs) ? atMs : undefined;
}
