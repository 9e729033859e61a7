import { onTestFinished, vi } from 'vitest';

/** Stops this process's clock until the test ends, and returns its time in milliseconds: a Wednesday morning, far from a month's end. */
export function stopClock(): number {
  const now = Date.UTC(2026, 4, 13, 9, 30);
  vi.useFakeTimers({ now, toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  return now;
}
