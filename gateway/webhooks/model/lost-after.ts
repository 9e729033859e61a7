/** An attempt that has ended is recorded within this time. */
const maxMarginMs = 5000;

/** Returns how long after its start, in milliseconds, an attempt counts as lost with its process. Longer than any request. */
export const lostAfterMs = (deadlineMs: number): number => deadlineMs + Math.min(deadlineMs, maxMarginMs);
