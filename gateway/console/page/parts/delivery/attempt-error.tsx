import { reasonOf } from '../../lib/reasons.ts';
import { ServerText } from '../server-text.tsx';

interface Failed {
  outcome: string;
  error: string | null;
  response_status: number | null;
}

/** Outcomes of which the error's own message, which is English, says no more than their meaning. */
const toldByMeaning: ReadonlySet<string> = new Set(['status', 'redirect', 'gone', 'timeout']);

/** Why an attempt failed: what its outcome means, in the viewer's language, or the error's own message. */
export function AttemptError({ of: { outcome, error, response_status } }: { of: Failed }) {
  if (toldByMeaning.has(outcome)) return reasonOf(outcome, response_status)?.meaning;
  return <ServerText>{error}</ServerText>;
}
