import { type Overview, periods } from '../../lib/figures.ts';
import { count } from '../../lib/format.ts';
import { duration } from '../../lib/time.ts';
import { type Failure, failureWords } from '../../lib/why.ts';
import { ServerText } from '../../parts/server-text.tsx';
import { Why } from '../../parts/why.tsx';
import { text } from '../../texts/index.ts';
import type { OverviewProblem } from './problems.ts';

type Said = Pick<OverviewProblem, 'case' | 'text' | 'values' | 'raw'> & Partial<Pick<OverviewProblem, 'cause'>>;

/** A sentence of the verdict in the viewer's language; in English if the catalogue does not have it. */
export function Statement({ of }: { of: Said }) {
  if (of.cause) return <Why of={of.cause} />;
  const say = text.server.verdict[of.case];
  if (!say) return <ServerText>{of.text}</ServerText>;
  return say(Object.fromEntries(Object.entries(of.values).map(([name, value]) => [name, inWords(name, of.raw[name], value)])));
}

/** A value as the viewer reads it. `shown` is the gateway's English: a `+` at its end means that there may be more. */
function inWords(name: string, raw: string | number | undefined, shown: string): string {
  const more = shown.endsWith('+') ? '+' : '';
  switch (name) {
    case 'period':
      return periods[raw as Overview['period']['name']]?.words ?? shown;
    case 'reason':
      return failureWords(raw as Failure | 'blocked');
    case 'median':
    case 'time':
      return typeof raw === 'number' ? duration(raw) + more : shown;
    default:
      return typeof raw === 'number' ? count(raw) + more : shown;
  }
}
