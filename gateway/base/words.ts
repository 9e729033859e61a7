/** Shortens a text. A full stop does not follow the dots: `fill` leaves it out. */
export const cut = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** A duration in one unit, for people: `50 s`, `21 min`, `5 h`, `3 days`. */
export function lasted(ms: number, days = 'days'): string {
  if (ms < 2 * minuteMs) return `${Math.round(ms / 1000)} s`;
  if (ms < 2 * hourMs) return `${Math.round(ms / minuteMs)} min`;
  return ms < 48 * hourMs ? `${Math.round(ms / hourMs)} h` : `${Math.round(ms / (24 * hourMs))} ${days}`;
}

/** `2026-11-22 16:10:41 UTC`. */
export const utc = (at: number | string): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
