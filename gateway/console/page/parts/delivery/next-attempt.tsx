import { type Cause, useWhy } from '../../lib/why.ts';
import { text } from '../../texts/shared.ts';
import { RelativeTime } from '../time.tsx';

interface Waiting {
  next_attempt_at: string | null;
  waits_for: 'time' | 'turn' | null;
  cause: Cause | null;
}

/** When a delivery is attempted next. The tooltip says why not now. */
export function NextAttempt({ of: { next_attempt_at, waits_for, cause }, inTurn }: { of: Waiting; inTurn: string }) {
  const why = useWhy();
  if (waits_for === null) return null;
  const heldUntil = cause?.case === 'held' ? cause.values.next_at : null;
  const at = waits_for === 'turn' ? heldUntil : next_attempt_at;
  return (
    <span title={cause ? why(cause) : undefined}>{at === null ? inTurn : text.parts.nextTry(<RelativeTime at={at} />)}</span>
  );
}
