import { vi } from 'vitest';
import { longestWaitMs } from './longest-wait.ts';

/**
 * Repeats `check` until it passes. For what happens in real time, such as a request over a socket or the work of another
 * process.
 */
export const eventually = <R>(check: () => R | Promise<R>): Promise<R> =>
  vi.waitFor(check, { timeout: longestWaitMs, interval: 20 }) as Promise<R>;
