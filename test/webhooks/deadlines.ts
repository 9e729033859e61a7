import { onTestFinished, vi } from 'vitest';

/**
 * Returns a deadline, in milliseconds, that passes when `pass` is called, however long the test takes. Until the test ends, all
 * timers of exactly this length wait for `pass`; others run as usual.
 */
export function deadlineByHand() {
  const deadlineMs = 3_600_017;
  const real = globalThis.setTimeout;
  const waiting: (() => void)[] = [];
  const spy = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => spy.mockRestore());
  spy.mockImplementation(((task: () => void, ms?: number, ...given: []) => {
    if (ms !== deadlineMs) return real(task, ms, ...given);
    waiting.push(task);
    return real(() => {}, 0);
  }) as typeof setTimeout);
  const pass = () => {
    for (const task of waiting.splice(0)) task();
  };
  return { deadlineMs, pass };
}
