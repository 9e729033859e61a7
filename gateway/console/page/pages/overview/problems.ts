import { stateOf } from '../../lib/endpoint-state.ts';
import { type Overview, periods } from '../../lib/figures.ts';
import { linkTo } from '../../lib/filters.ts';
import { count, plural, shortUrl } from '../../lib/format.ts';
import { imbalanceOf } from '../../lib/ledger.ts';
import { type DeadLetters, formatDeadLetters } from './dead-letters.ts';

export interface OverviewProblem {
  /** `error` needs an operator, `warning` may recover on its own. */
  tone: 'error' | 'warning';
  text: string;
  href: string;
}

type FailingEndpoints = Overview['endpoints']['in_trouble'];

/** Everything that is wrong, most urgent first. */
export function problemsOf(overview: Overview, dead: DeadLetters | undefined): OverviewProblem[] {
  const { ledger, recorder, deliveries, calls, period } = overview;
  const { words, since } = periods[period.name];
  const inState = (word: string) => overview.endpoints.in_trouble.filter((endpoint) => stateOf(endpoint).word === word);
  const found: (OverviewProblem | false)[] = [
    ledger.balanced === false && {
      tone: 'error',
      text: `The ledger does not balance: ${imbalanceOf(ledger)}`,
      href: linkTo('/events', { since }),
    },
    endpointProblem(
      inState('disabled'),
      'error',
      'is disabled and receives nothing',
      'are disabled and receive nothing',
      'disabled',
    ),
    endpointProblem(
      inState('held'),
      'error',
      'is held: it keeps failing, so its deliveries wait',
      'are held: they keep failing, so their deliveries wait',
      'held',
    ),
    dead !== undefined &&
      dead.count > 0 && {
        tone: 'error',
        text: `${formatDeadLetters(dead)} ${dead.count === 1 ? 'delivery' : 'deliveries'} failed permanently ${words}`,
        href: linkTo('/deliveries', { status: 'failed', since }),
      },
    calls.failed > 0 && {
      tone: 'error',
      text: `${plural(calls.failed, 'call')} failed with a gateway error (5xx) ${words}`,
      href: linkTo('/calls', { status: '5xx', since }),
    },
    recorder.lost > 0 && {
      tone: 'error',
      text: `${plural(recorder.lost, 'record of a call was', 'records of calls were')} lost under overload since startup`,
      href: '/calls',
    },
    endpointProblem(inState('probing'), 'warning', 'failed and is being tried again', 'failed and are being tried again', 'held'),
    endpointProblem(
      inState('failing'),
      'warning',
      'has had no successful attempt for a while',
      'have had no successful attempt for a while',
    ),
    deliveries.due_late > 0 && {
      tone: 'warning',
      text: `${countUpTo(deliveries.due_late, deliveries.counted_to)} ${deliveries.due_late === 1 ? 'delivery is' : 'deliveries are'} more than 30 s late`,
      href: linkTo('/deliveries', { status: 'pending' }),
    },
  ];
  return found.filter((line) => line !== false);
}

function endpointProblem(
  endpoints: FailingEndpoints,
  tone: OverviewProblem['tone'],
  oneDoes: string,
  manyDo: string,
  state?: string,
): OverviewProblem | false {
  const [first, ...others] = endpoints;
  if (!first) return false;
  if (others.length === 0) return { tone, text: `${withoutQuery(first.url)} ${oneDoes}`, href: `/endpoints/${first.id}` };
  return { tone, text: `${count(endpoints.length)} endpoints ${manyDo}`, href: linkTo('/endpoints', { state }) };
}

/** A URL without its scheme and query. */
export const withoutQuery = (url: string) => shortUrl(url).replace(/[?#].*$/, '');

/** A count that stops at `bound`: `1,000+`. */
export const countUpTo = (value: number, bound: number) => (value >= bound ? `${count(bound)}+` : count(value));

/** The sentence to show if nothing is wrong. */
export function allWellText({ deliveries, calls, period }: Overview): string {
  const { words } = periods[period.name];
  const { delivered, pending, counted_to } = deliveries;
  const under = pending === 0 ? '' : `, ${countUpTo(pending, counted_to)} in progress`;
  if (delivered === 0 && pending === 0)
    return calls.total === 0
      ? `All is well: no activity ${words}`
      : `All is well: ${plural(calls.total, 'call')} and no deliveries ${words}`;
  const all = pending === 0 ? ', all delivered' : ' delivered';
  const noun = plural(delivered, 'delivery', 'deliveries');
  return pending === 0 ? `All is well: ${noun} ${words}${all}` : `All is well: ${noun}${all} ${words}${under}`;
}
