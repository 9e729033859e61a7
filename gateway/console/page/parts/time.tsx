import type { ReactNode } from 'react';
import { useNow } from '../lib/now.ts';
import { exactTime, relativeTime, shortTime } from '../lib/time.ts';
import { useZone } from '../lib/zone.ts';
import { text } from '../texts/shared.ts';

export function Time({ at, none = '–' }: { at: string | null; none?: string }) {
  const zone = useZone();
  if (at === null) return <span>{none}</span>;
  return (
    <time dateTime={at} title={exactTime(at)}>
      {shortTime(at, zone)}
    </time>
  );
}

/** A time relative to now, such as `3 min. ago` or `in 2 hr.` */
export function RelativeTime({ at }: { at: string }) {
  const nowMs = useNow();
  return (
    <time dateTime={at} title={exactTime(at)}>
      {relativeTime(at, nowMs)}
    </time>
  );
}

/** When something is tried next: relative to now, or `due` once that time has passed. */
export function NextTry({ at }: { at: string }): ReactNode {
  const isDue = Date.parse(at) <= useNow();
  return isDue ? text.parts.due : text.parts.nextTry(<RelativeTime at={at} />);
}
