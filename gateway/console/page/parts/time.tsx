import { useEffect, useState } from 'react';
import { exactTime, relativeTime, shortTime } from '../lib/time.ts';

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Now, anew each second: one timer for all of a page's times. */
export function useNow(): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const tell = () => setNowMs(Date.now());
    listeners.add(tell);
    timer ??= setInterval(() => listeners.forEach((listener) => void listener()), 1000);
    return () => {
      listeners.delete(tell);
      if (listeners.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  }, []);
  return nowMs;
}

/** A moment in the viewer's zone; the exact instant when one points at it. */
export function Time({ at, none = '–' }: { at: string | null; none?: string }) {
  if (at === null) return <span>{none}</span>;
  return (
    <time dateTime={at} title={exactTime(at)}>
      {shortTime(at)}
    </time>
  );
}

/** How long ago, or how long until. */
export function Ago({ at }: { at: string }) {
  const nowMs = useNow();
  return (
    <time dateTime={at} title={exactTime(at)}>
      {relativeTime(at, nowMs)}
    </time>
  );
}
