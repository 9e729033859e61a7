/** Returns today's date in UTC, YYYY-MM-DD, as expiry dates are written. */
export const today = (): string => new Date().toISOString().slice(0, 10);
