import type { ProviderState } from '../../states/state.ts';
import type { InteractionResult, Outcome, Problem, Verification } from '../result.ts';
import { count, duration, plain, shorten } from './plain.ts';

export const marks: Readonly<Record<Outcome, string>> = { verified: '✓', failed: '✗', pending: '~' };

/** The interactions of each consumer, in the order of their first one. */
export function byConsumer({ interactions }: Verification): [consumer: string, InteractionResult[]][] {
  return [...Map.groupBy(interactions, ({ consumer }) => consumer)];
}

export function tally(interactions: readonly InteractionResult[]): Record<Outcome, number> {
  const of = (outcome: Outcome) => interactions.filter((one) => one.outcome === outcome).length;
  return { verified: of('verified'), failed: of('failed'), pending: of('pending') };
}

/** `3 interactions in 1.2 s: 1 verified, 1 failed, 1 pending`. */
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

/** States in one line. */
export const statesOf = (states: readonly ProviderState[]) => shorten(states.map(stateText).join('; '), 200);

/** The states of an interaction in one line. */
export const statesText = ({ states }: InteractionResult) => statesOf(states);

/** Where it differs: `body $.data.id`, `status`. */
export const placeOf = ({ kind, path }: Problem) => plain(path === undefined ? kind : `${kind} ${path}`);

/** What was sent to the provider and what came back, a line each: it often says itself what is wrong. */
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

/** Problems of one interaction that a report shows; the rest is counted. */
export const problemsShown = 20;

const hasProblem = (verification: Verification, found: (problem: Problem) => boolean) =>
  verification.interactions.some(({ outcome, problems }) => outcome === 'failed' && problems.some(found));

/** What to do next: the first line whose condition holds. */
const steps: readonly { when: (verification: Verification) => boolean; say: string }[] = [
  {
    when: ({ interactions }) => interactions.length === 0,
    say: 'No interaction was found: check which pacts --pact or --broker and --selectors name.',
  },
  {
    when: (verification) => hasProblem(verification, ({ kind }) => kind === 'state'),
    say: 'A state could not be set up: contracts/tools/verification/STATES.md lists the states of each provider and their parameters.',
  },
  {
    when: (verification) => hasProblem(verification, ({ kind }) => kind === 'provider'),
    say: 'The provider could not be asked: see the messages above.',
  },
  {
    when: (verification) => hasProblem(verification, ({ gap }) => gap !== undefined),
    say: 'Where a gap is named, the document leaves the question open: take the choice into the pact, or have the provider confirm another one.',
  },
  {
    when: ({ interactions }) => interactions.some(({ outcome }) => outcome === 'failed'),
    say: 'Where the document is quoted, it decides: correct the pact, or report the provider. --json keeps what was sent and what came back.',
  },
  {
    when: ({ interactions }) => interactions.some(({ outcome }) => outcome === 'pending'),
    say: 'Nothing failed. Pending interactions were not verified before; once they are, a failure counts.',
  },
  { when: () => true, say: 'The provider does all that these pacts ask of it.' },
];

export function nextStep(verification: Verification): string {
  return steps.find(({ when }) => when(verification))?.say ?? '';
}
