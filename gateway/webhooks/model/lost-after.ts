/** An attempt that has ended is recorded within this time. */
const maxMarginMs = 5000;

/** Returns how long after its start, in milliseconds, an attempt counts as lost with its process. Longer than any request. */
export const lostAfterMs = (deadlineMs: number): number => deadlineMs + Math.min(deadlineMs, maxMarginMs);

/**
 * The longest that an attempt lasts, in milliseconds. It may wait for another process to get a token, ask for one itself, and be sent;
 * and all of that again after a 401.
 */
export const longestAttemptMs = (deadlineMs: number): number => lostAfterMs(6 * deadlineMs);
