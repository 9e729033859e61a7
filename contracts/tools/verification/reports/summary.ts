import type { ProviderState } from '../../states/state.ts';
import { refusesSignature } from '../advice.ts';
import { isOtherOutcome } from '../explain.ts';
import { isRedirect } from '../redirects.ts';
import type { InteractionResult, Outcome, PendingBecause, Problem, Verification } from '../result.ts';
import { count, duration, plain, shorten } from './plain.ts';

export const marks: Readonly<Record<Outcome, string>> = { verified: '✓', failed: '✗', pending: '~' };

/** Groups the interactions by consumer, in the order of first appearance. */
export function byConsumer({ interactions }: Verification): [consumer: string, InteractionResult[]][] {
  return [...Map.groupBy(interactions, ({ consumer }) => consumer)];
}

export function tally(interactions: readonly InteractionResult[]): Record<Outcome, number> {
  const of = (outcome: Outcome) => interactions.filter((one) => one.outcome === outcome).length;
  return { verified: of('verified'), failed: of('failed'), pending: of('pending') };
}

/** Returns a summary such as `3 interactions in 1.2 s: 1 verified, 1 failed, 1 pending`, with what could not be done, if anything. */
export function summaryLine({ interactions, durationMs, unfinished }: Verification): string {
  const { verified, failed, pending } = tally(interactions);
  return `${count(interactions.length, 'interaction')} in ${duration(durationMs)}: ${verified} verified, ${failed} failed, ${pending} pending${unfinished.length > 0 ? `; ${unfinished.length} not done` : ''}`;
}

export const targetOf = ({ target }: Verification) =>
  target.kind === 'reference' ? 'the reference implementation' : plain(target.url);

function stateText({ name, params }: ProviderState): string {
  const values = Object.entries(params).map(([key, value]) => `${key} ${JSON.stringify(value)}`);
  return plain(values.length === 0 ? name : `${name} (${values.join(', ')})`);
}

/** Formats states as one line. */
export const statesOf = (states: readonly ProviderState[]) => shorten(states.map(stateText).join('; '), 200);

/** Formats an interaction's states as one line. */
export const statesText = ({ states }: InteractionResult) => statesOf(states);

/** Returns a problem's place, such as `body $.data.id` or `status`. */
export const placeOf = ({ kind, path }: Problem) => plain(path === undefined ? kind : `${kind} ${path}`);

/** Why an interaction that fails does not count. */
const becauseOf: Readonly<Record<PendingBecause, string>> = {
  pact: 'its pact marks it as pending',
  broker: 'its pact is pending or work in progress at the broker, whose notes say why',
  documents: 'the API documents do not require it',
  undecided: 'the receiver neither accepted nor refused it',
};

/** Returns why the interaction is pending, and the request and the reply or message, one line each. */
export function exchanged({ exchange = {}, pendingBecause }: InteractionResult): [label: string, text: string][] {
  const { request, reply, message } = exchange;
  const query = request?.query ? `?${request.query}` : '';
  const lines: [string, string | undefined][] = [
    ['pending', pendingBecause && becauseOf[pendingBecause]],
    ['sent', request && `${request.method} ${request.path}${query} ${request.body}`],
    ['reply', reply && `${reply.status} ${reply.body}`],
    ['message', message?.body],
  ];
  return lines.flatMap(([label, text]) => (text === undefined ? [] : [[label, shorten(text.trim(), 600)]]));
}

/** The number of problems that a report shows per interaction. */
const problemsShown = 20;

/** Returns the problems that a report shows, and a line about the others. After a wrong status, the others follow from it. */
export function shownProblems({ problems }: InteractionResult): { shown: Problem[]; others: string[] } {
  const causes = problems.filter(isOtherOutcome);
  const shown = (causes.length > 0 ? causes : problems).slice(0, problemsShown);
  const rest = problems.length - shown.length;
  if (rest === 0) return { shown, others: [] };
  const why = causes.length === 0 ? '' : rest === 1 ? ', which follows from the status' : ', which follow from the status';
  return { shown, others: [`${count(rest, 'more problem')}${why}`] };
}

const hasProblem = (verification: Verification, found: (problem: Problem) => boolean) =>
  verification.interactions.some(({ outcome, problems }) => outcome === 'failed' && problems.some(found));

const isOfReceiver = ({ provider }: Verification) => provider === 'webhook-receiver';

/** Advice for the reader: the first step whose condition is true. */
const steps: readonly {
  when: (verification: Verification) => boolean;
  say: string | ((verification: Verification) => string);
}[] = [
  {
    when: ({ interactions }) => interactions.length === 0,
    say: 'No interaction was found: check --pact, or --broker and --selectors.',
  },
  {
    when: ({ interactions, unfinished }) => unfinished.length > 0 || interactions.some(({ couldNotRun }) => couldNotRun),
    say: 'Not everything could be done, for the reasons above: correct them and verify again. The other verdicts stand.',
  },
  {
    when: (verification) => hasProblem(verification, ({ kind }) => kind === 'state'),
    say: 'A state could not be set up: `passerelle states` lists the states and their parameters.',
  },
  {
    when: (verification) => isOfReceiver(verification) && hasProblem(verification, ({ actual }) => refusesSignature(actual)),
    say: "The receiver refuses genuine events: compare --secret with the receiver's own secret. `passerelle receiver check` looks for common mistakes.",
  },
  {
    when: (verification) => isOfReceiver(verification) && verification.interactions.some(({ outcome }) => outcome === 'failed'),
    say: 'The receiver does not do what the gateway needs: `passerelle receiver check` says why.',
  },
  {
    when: (verification) => hasProblem(verification, ({ kind }) => kind === 'provider'),
    say: 'The provider did not answer correctly: see the messages above.',
  },
  {
    when: (verification) => hasProblem(verification, ({ kind, actual }) => kind === 'status' && isRedirect(actual)),
    say: 'The provider redirects: pass its final address with --base-url.',
  },
  {
    when: (verification) => hasProblem(verification, ({ gap }) => gap !== undefined),
    say: 'A named gap means that the document leaves the question open: change the pact to our choice, or ask the provider to confirm another.',
  },
  {
    when: ({ interactions }) => interactions.some(({ outcome }) => outcome === 'failed'),
    say: 'The quoted document decides: correct the pact, or report a bug of the provider. --json has the full requests and replies.',
  },
  {
    when: ({ interactions }) => interactions.some(({ outcome }) => outcome === 'pending'),
    say: ({ interactions }) => {
      const reasons = new Set(interactions.flatMap(({ pendingBecause }) => (pendingBecause ? [becauseOf[pendingBecause]] : [])));
      return `Nothing failed. What is pending does not count${reasons.size === 0 ? '' : `: ${[...reasons].join(', or ')}`}.`;
    },
  },
  { when: () => true, say: 'The provider satisfies these pacts.' },
];

export function nextStep(verification: Verification): string {
  const say = steps.find(({ when }) => when(verification))?.say ?? '';
  return typeof say === 'string' ? say : say(verification);
}
