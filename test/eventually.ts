import { vi } from 'vitest';

/**
 * Repeats `check` until it passes. For what happens in real time, such as a request over a socket or the work of another
 * process. The bound is for a check that never passes: a busy machine may need a minute for what usually takes a second.
 */
export const eventually = <R>(check: () => R | Promise<R>): Promise<R> =>
  vi.waitFor(check, { timeout: 120_000, interval: 20 }) as Promise<R>;
