import { stateOf } from '../../lib/endpoint-state.ts';
import { type Overview, periods } from '../../lib/figures.ts';
import { linkTo } from '../../lib/filters.ts';
import { count, plural } from '../../lib/format.ts';
import { type DeadLetters, writeDeadLetters } from './dead-letters.ts';

export interface ProblemLine {
  /** `bad` wants somebody; `waits` may heal by itself. */
  tone: 'bad' | 'waits';
  text: string;
  href: string;
}

type Trouble = Overview['endpoints']['in_trouble'];

/** All that is not as it should be, most urgent first. */
export function problemsOf(overview: Overview, dead: DeadLetters | undefined): ProblemLine[] {
  const { ledger, recorder, deliveries, calls, period } = overview;
  const { words, since } = periods[period.name];
  const trouble = (word: string) => overview.endpoints.in_trouble.filter((endpoint) => stateOf(endpoint).word === word);
  const found: (ProblemLine | false)[] = [
    ledger.balanced === false && {
      tone: 'bad',
      text: `The ledger does not balance: ${plural(ledger.unaccounted ?? 0, 'delivery is', 'deliveries are')} missing`,
      href: linkTo('/events', { since }),
    },
    endpointLine(trouble('disabled'), 'bad', 'was disabled, and gets nothing', 'were disabled, and get nothing', 'disabled'),
    endpointLine(
      trouble('held'),
      'bad',
      'keeps failing, so its deliveries wait',
      'keep failing, so their deliveries wait',
      'held',
    ),
    dead !== undefined &&
      dead.count > 0 && {
        tone: 'bad',
        text: `${writeDeadLetters(dead)} ${dead.count === 1 ? 'delivery' : 'deliveries'} of ${words.replace('in ', '')} failed for good`,
        href: linkTo('/deliveries', { status: 'failed', since }),
      },
    calls.failed > 0 && {
      tone: 'bad',
      text: `${plural(calls.failed, 'call')} failed with an error of the gateway (5xx) ${words}`,
      href: linkTo('/calls', { status: '5xx', since }),
    },
    recorder.lost > 0 && {
      tone: 'bad',
      text: `${plural(recorder.lost, 'record of a call was', 'records of calls were')} lost under overload since the start`,
      href: '/calls',
    },
    endpointLine(trouble('probing'), 'waits', 'is tried again: it failed', 'are tried again: they failed', 'held'),
    endpointLine(trouble('failing'), 'waits', 'has had no success for a while', 'have had no success for a while'),
    deliveries.due_late > 0 && {
      tone: 'waits',
      text: `${upTo(deliveries.due_late, deliveries.counted_to)} ${deliveries.due_late === 1 ? 'delivery is' : 'deliveries are'} late by more than 30 s`,
      href: linkTo('/deliveries', { status: 'pending' }),
    },
  ];
  return found.filter((line) => line !== false);
}

function endpointLine(
  endpoints: Trouble,
  tone: ProblemLine['tone'],
  oneDoes: string,
  manyDo: string,
  state?: string,
): ProblemLine | false {
  const [first, ...others] = endpoints;
  if (!first) return false;
  if (others.length === 0) return { tone, text: `${shortUrl(first.url)} ${oneDoes}`, href: `/endpoints/${first.id}` };
  return { tone, text: `${count(endpoints.length)} endpoints ${manyDo}`, href: linkTo('/endpoints', { state }) };
}

/** A URL as one says it: without its scheme and query. */
export const shortUrl = (url: string) => url.replace(/^https?:\/\//, '').replace(/[?#].*$/, '');

/** A number that was counted up to a bound. */
export const upTo = (value: number, bound: number) => (value >= bound ? `${count(bound)}+` : count(value));

/** The sentence where nothing is wrong. */
export function wellSentence({ deliveries, calls, period }: Overview): string {
  const { words } = periods[period.name];
  const { delivered, pending, counted_to } = deliveries;
  const under = pending === 0 ? '' : `, ${upTo(pending, counted_to)} on their way`;
  if (delivered === 0 && pending === 0)
    return calls.total === 0
      ? `All is well, and quiet: nothing happened ${words}`
      : `All is well: ${plural(calls.total, 'call')}, and nothing to deliver ${words}`;
  const all = pending === 0 ? ', all delivered' : ' delivered';
  const noun = plural(delivered, 'delivery', 'deliveries');
  return pending === 0 ? `All is well: ${noun} ${words}${all}` : `All is well: ${noun}${all} ${words}${under}`;
}
