import type { ProviderState } from '../../states/state.ts';
import type { InteractionResult, Outcome, Problem, Verification } from '../result.ts';
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

/** Returns a summary such as `3 interactions in 1.2 s: 1 verified, 1 failed, 1 pending`. */
export function summaryLine({ interactions, durationMs }: Verification): string {
  const { verified, failed, pending } = tally(interactions);
  return `${count(interactions.length, 'interaction')} in ${duration(durationMs)}: ${verified} verified, ${failed} failed, ${pending} pending`;
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

/** Returns the request and the reply or message, one line each. */
export function exchanged({ exchange = {} }: InteractionResult): [label: string, text: string][] {
  const { request, reply, message } = exchange;
  const query = request?.query ? `?${request.query}` : '';
  const lines: [string, string | undefined][] = [
    ['sent', request && `${request.method} ${request.path}${query} ${request.body}`],
    ['reply', reply && `${reply.status} ${reply.body}`],
    ['message', message?.body],
  ];
  return lines.flatMap(([label, text]) => (text === undefined ? [] : [[label, shorten(text.trim(), 600)]]));
}

/** The number of problems that a report shows per interaction. */
export const problemsShown = 20;

const hasProblem = (verification: Verification, found: (problem: Problem) => boolean) =>
  verification.interactions.some(({ outcome, problems }) => outcome === 'failed' && problems.some(found));

/** Advice for the reader: the first step whose condition is true. */
const steps: readonly { when: (verification: Verification) => boolean; say: string }[] = [
  {
    when: ({ interactions }) => interactions.length === 0,
    say: 'No interaction was found: check --pact, or --broker and --selectors.',
  },
  {
    when: (verification) => hasProblem(verification, ({ kind }) => kind === 'state'),
    say: 'A state could not be set up: see contracts/tools/verification/STATES.md for the states and their parameters.',
  },
  {
    when: (verification) => hasProblem(verification, ({ kind }) => kind === 'provider'),
    say: 'The provider did not answer correctly: see the messages above.',
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
    say: 'Nothing failed. A pending interaction counts as a failure only after it was verified once.',
  },
  { when: () => true, say: 'The provider satisfies these pacts.' },
];

export function nextStep(verification: Verification): string {
  return steps.find(({ when }) => when(verification))?.say ?? '';
}
