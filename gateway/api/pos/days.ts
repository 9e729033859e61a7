export const dayMs = 86_400_000;

/** The day of an instant in UTC, YYYY-MM-DD. */
export const dayOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);

/** The first instant of a day, in milliseconds since 1970. */
export const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);
