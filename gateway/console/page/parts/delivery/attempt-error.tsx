import { reasonOf } from '../../lib/reasons.ts';
import { ServerText } from '../server-text.tsx';

interface Failed {
  outcome: string;
  error: string | null;
  response_status: number | null;
}

const toldByStatus: ReadonlySet<string> = new Set(['status', 'redirect', 'gone']);

/** Why an attempt failed: the status in the viewer's language, or the error's own message. */
export function AttemptError({ of: { outcome, error, response_status } }: { of: Failed }) {
  if (toldByStatus.has(outcome)) return reasonOf(outcome, response_status)?.meaning;
  return <ServerText>{error}</ServerText>;
}
