import { jsonOr } from '../../../../spec/json.ts';
import { type Finding, type Group, type Labelled, labelledOf, type Part, type Report } from '../../reports/model.ts';
import { count, duration, plain, shorten } from '../../reports/plain.ts';
import type { ProviderState } from '../../states/state.ts';
import { isOtherOutcome } from '../explain.ts';
import { isRedirect } from '../redirects.ts';
import type { InteractionResult, Outcome, PendingBecause, Problem, Verification } from '../result.ts';
import { curlOf } from './curl.ts';

function stateText({ name, params }: ProviderState): string {
  const values = Object.entries(params).map(([key, value]) => `${key} ${JSON.stringify(value)}`);
  return plain(values.length === 0 ? name : `${name} (${values.join(', ')})`);
}

export const statesOf = (states: readonly ProviderState[]) => shorten(states.map(stateText).join('; '), 200);

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

const hasProblem = (verification: Verification, found: (problem: Problem) => boolean) =>
  verification.interactions.some(({ outcome, problems }) => outcome === 'failed' && problems.some(found));

/** True for the statuses with which receivers refuse a signature. */
const refusesSignature = (status: unknown) => ['401', '403'].includes(String(status));

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

function nextStep(verification: Verification): string {
  const say = steps.find(({ when }) => when(verification))?.say ?? '';
  return typeof say === 'string' ? say : say(verification);
}

/** The number of problems that a report shows per interaction. */
const problemsShown = 20;

const partOf = (problem: Problem): Part => {
  const { message, expected, actual, documented, gap } = problem;
  return {
    title: placeOf(problem),
    text: message,
    ...((expected ?? actual) !== undefined && {
      sides: [
        ['expected', expected],
        ['actual', actual],
      ],
    }),
    lines: labelledOf({
      document: documented && `${documented.document}, ${documented.section}: ${documented.says}`,
      gap: gap && `${gap.id}: ${gap.question} Chosen: ${gap.choice}`,
    }),
  };
};

/** Returns the problems that a report shows, and a line about the others. After a wrong status, the others follow from it. */
function partsOf({ problems }: InteractionResult): Part[] {
  const causes = problems.filter(isOtherOutcome);
  const shown = (causes.length > 0 ? causes : problems).slice(0, problemsShown);
  const rest = problems.length - shown.length;
  if (rest === 0) return shown.map(partOf);
  const why = causes.length === 0 ? '' : rest === 1 ? ', which follows from the status' : ', which follow from the status';
  return [...shown.map(partOf), { title: `${count(rest, 'more problem')}${why}` }];
}

/** Returns why the interaction is pending, and the request and the reply or message, one line each. */
function linesOf({ exchange: { request, reply, message } = {}, pendingBecause }: InteractionResult): Labelled[] {
  const query = request?.query ? `?${request.query}` : '';
  return labelledOf({
    pending: pendingBecause && becauseOf[pendingBecause],
    sent: request && `${request.method} ${request.path}${query} ${request.body}`,
    reply: reply && `${reply.status} ${reply.body}`,
    message: message?.body,
  }).map(([label, text]) => [label, shorten(text.trim(), 600)]);
}

const headerLines = (headers: Record<string, unknown>) =>
  Object.entries(headers).map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);

/** Indents JSON; returns other text unchanged. */
function laidOut(text: string): string {
  const value = jsonOr(text, undefined);
  return typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : text;
}

/** The same in full, with a command that repeats the request. */
function blocksOf(
  { exchange: { request, reply, message } = {}, pendingBecause }: InteractionResult,
  target: Verification['target'],
) {
  const block = (lines: readonly string[], body: string) =>
    [...lines, ...(body === '' ? [] : ['', shorten(laidOut(body), 8000)])].join('\n');
  return labelledOf({
    pending: pendingBecause && becauseOf[pendingBecause],
    request: request && curlOf(request, target),
    reply: reply && block([`HTTP ${reply.status}`, ...headerLines(reply.headers)], reply.body),
    message: message && block(headerLines(message.metadata), message.body),
  });
}

function findingOf(result: InteractionResult, target: Verification['target']): Finding {
  const {
    outcome,
    couldNotRun,
    description,
    consumer,
    source,
    states,
    durationMs,
    problems: [first],
  } = result;
  const message = first === undefined ? outcome : `${placeOf(first)}: ${shorten(first.message, 200)}`;
  const given = statesText(result);
  return {
    outcome: outcome === 'verified' ? 'passed' : couldNotRun && outcome === 'failed' ? 'error' : outcome,
    word: couldNotRun ? 'not verified' : outcome,
    title: description,
    ...(given !== '' && { about: `given ${given}` }),
    durationMs,
    parts: partsOf(result),
    lines: linesOf(result),
    blocks: blocksOf(result, target),
    message: outcome === 'pending' ? `pending: ${message}` : message,
    type: first?.kind ?? outcome,
    classname: consumer,
    file: source,
    filters: { Consumer: [consumer], 'Given the state': states.map(({ name }) => name) },
  };
}

export function verificationReport(verification: Verification): Report {
  const { provider, target, startedAt, durationMs, interactions, notices, unfinished } = verification;
  const groups = [...Map.groupBy(interactions, ({ consumer }) => consumer)].map(
    ([consumer, results]): Group => ({
      title: `${consumer} with ${provider}`,
      about: [...new Set(results.map(({ source }) => source))].join(', '),
      findings: results.map((one) => findingOf(one, target)),
    }),
  );
  const number = (wanted: Outcome) => interactions.filter(({ outcome }) => outcome === wanted).length;
  const [verified, failed, pending] = [number('verified'), number('failed'), number('pending')];
  const notDone = unfinished.length > 0 ? `; ${unfinished.length} not done` : '';
  return {
    tool: 'verify',
    title: `Verification of ${provider} at`,
    subject: target.kind === 'reference' ? 'the reference implementation' : target.url,
    summary: `${count(interactions.length, 'interaction')} in ${duration(durationMs)}: ${verified} verified, ${failed} failed, ${pending} pending${notDone}`,
    groups,
    notes: notices,
    unfinished,
    next: nextStep(verification),
    ...(target.kind === 'reference' && {
      footnote: 'In the commands, $BASE_URL is the address of an API, such as that of passerelle stub.',
    }),
    durationMs,
    startedAt,
  };
}
