export const dayMs = 86_400_000;

let last = { day: Number.NaN, text: '' };

/** Returns the UTC day of an instant as YYYY-MM-DD. Keeps the last day's text, because most sales are of today. */
export function dayOf(atMs: number): string {
  const day = Math.floor(atMs / dayMs);
  if (day !== last.day) last = { day, text: new Date(atMs).toISOString().slice(0, 10) };
  return last.text;
}

/** The first instant of a day, in milliseconds since 1970. */
export const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);
