/** Shortens a text. A full stop does not follow the dots: `fill` leaves it out. */
export const cut = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`;

/** `2026-11-22 16:10:41 UTC`. */
export const utc = (at: number | string): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
