import { useNow } from '../../lib/now.ts';
import { duration, exactTime } from '../../lib/time.ts';
import { text } from '../../texts/shared.ts';

/** The time left until `at`, in whole seconds. */
export function Countdown({ at }: { at: string | null }) {
  const nowMs = useNow();
  if (at === null) return <span>{text.delivery.now}</span>;
  const leftMs = Math.ceil((Date.parse(at) - nowMs) / 1000) * 1000;
  return (
    <time dateTime={at} title={exactTime(at)}>
      {leftMs <= 0 ? text.delivery.now : text.delivery.in(duration(leftMs))}
    </time>
  );
}
