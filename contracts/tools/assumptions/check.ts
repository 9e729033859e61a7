import type { ServiceName } from '../../../spec/documents/services.ts';
import type { Gap } from '../../../spec/gaps/gap.ts';
import { findAlternative, findGap, gaps } from '../../../spec/gaps/gaps.ts';
import { effectOnMessage } from '../../../spec/gaps/is/effect.ts';
import type { JsonMessage } from '../../../spec/gaps/is/is.ts';
import { fieldsOf, type Json, type JsonReply } from '../../../spec/json.ts';
import { parsed } from '../../../spec/openapi/asked.ts';
import { Hider, secretsIn } from '../secrets.ts';
import type { Assumed } from '../verification/beside.ts';
import type { Problem } from '../verification/result.ts';
import type { Recorded, Verified } from '../verification/run.ts';
import type { PactSource } from '../verification/sources.ts';
import { type Copy, readWritten, replay, type WrittenPact } from './replay.ts';

type Verdict =
  /** The interaction would fail under another choice, and names this gap. */
  | 'rests-on'
  /** It would fail under another choice, but does not name the gap: it expects more than the documents show. */
  | 'over-specified'
  /** It names a gap that does not exist. Not a failure. */
  | 'unknown-gap';

export interface AssumptionFinding {
  verdict: Verdict;
  consumer: string;
  /** The pact's file name or URL. */
  source: string;
  description: string;
  gap: Pick<Gap, 'id' | 'question' | 'choice'>;
  /** The choice under which it would fail, as in the register; empty for an unknown gap. */
  alternative: string;
  /** True if the interaction's references name the gap, or the file beside its pact does. */
  declared: boolean;
  /** The entry of the file beside the pact; it may have expired. */
  entry?: Assumed;
  problems: Problem[];
}

/** An interaction that does not verify, so that it says nothing about choices. */
export interface NotJudged extends Pick<AssumptionFinding, 'consumer' | 'source' | 'description' | 'problems'> {
  verdict: 'not-judged';
  /** True if the pact is pending, so that its failure does not count. */
  pending: boolean;
}

export interface Assessment {
  findings: AssumptionFinding[];
  notJudged: NotJudged[];
  judged: number;
}

/** Finds the interactions that would fail under another choice. `today`: YYYY-MM-DD, for expiries. */
export async function assess(provider: ServiceName, { verification, recorded }: Verified, today: string): Promise<Assessment> {
  const failed = verification.interactions
    .filter(({ outcome }) => outcome !== 'verified')
    .map(({ consumer, source, description, problems, outcome }): NotJudged => {
      return { verdict: 'not-judged', consumer, source, description, problems, pending: outcome === 'pending' };
    });
  const { findings, unjudged } = await judge(provider, recorded, today);
  const isListed = (one: NotJudged) =>
    failed.some(({ source, description }) => source === one.source && description === one.description);
  const notJudged = [...failed, ...unjudged.filter((one) => !isListed(one))];
  return { findings, notJudged, judged: verification.interactions.length - notJudged.length };
}

const isCurrent = ({ expiry }: Assumed, today: string) => expiry >= today;

/**
 * Returns the findings, and the interactions that fail with their own answer. Nothing can be said about such an interaction under
 * other choices.
 */
async function judge(provider: ServiceName, recorded: readonly Recorded[], today: string) {
  const pacts = new Map<PactSource, WrittenPact>();
  for (const source of new Set(recorded.map(({ source: one }) => one))) pacts.set(source, await readWritten(source));
  const trials = recorded.map((one) => trialOf(one, pacts.get(one.source) as WrittenPact, provider));
  const copies = [...new Set(trials.flatMap(({ control, others }) => [control, ...others.map(([, copy]) => copy)]))];
  const problems = await replay(provider, copies);
  const found = new Map(copies.map((copy, at) => [copy, problems[at] ?? []]));
  const isJudged = ({ control }: Trial) => found.get(control)?.length === 0;
  return {
    findings: trials.filter(isJudged).flatMap((trial) => findingsOf(trial, found, today)),
    unjudged: trials.filter((trial) => !isJudged(trial)).map((trial) => notJudgedOf(trial, found.get(trial.control) ?? [])),
  };
}

function notJudgedOf({ recorded: { source, index, answer } }: Trial, problems: Problem[]): NotJudged {
  const interaction = source.interactions[index];
  const hider = new Hider([...secretsIn(interaction), ...secretsIn(answer)]);
  return {
    verdict: 'not-judged',
    consumer: source.consumer,
    source: hider.text(source.source),
    description: hider.text(interaction?.description ?? ''),
    pending: interaction?.pending ?? false,
    problems: problems.map(hider.problem),
  };
}

/** An interaction, its actual answer, and its answers under the alternatives that change it, by `GAP=ALTERNATIVE`. */
interface Trial {
  recorded: Recorded;
  control: Copy;
  others: [name: string, copy: Copy][];
}

function trialOf(recorded: Recorded, pact: WrittenPact, provider: ServiceName): Trial {
  const { source, index } = recorded;
  const interaction = pact.interactions[index];
  if (!interaction || !source.interactions[index]) throw new Error(`${source.source} has no interaction ${index + 1}.`);
  const known = new Map<string, Copy>();
  const copyWith = (answer: Copy['answer']): Copy => {
    const looks = JSON.stringify('reply' in answer ? lookedAt(answer.reply, fieldsOf(interaction.written.response)) : answer);
    const copy = known.get(looks) ?? { pact, interaction, answer };
    known.set(looks, copy);
    return copy;
  };
  const control = copyWith(answerOf(recorded));
  const others = otherAnswers(recorded, provider).map(([name, answer]): [string, Copy] => [name, copyWith(answer)]);
  return { recorded, control, others };
}

/**
 * The parts of an answer that an interaction checks. If an answer differs only in other parts, Pact's verifier need not run
 * again.
 */
const lookedAt = ({ status, headers, body }: JsonReply, expected: Json) => [
  ...[status, ...Object.keys(fieldsOf(expected.headers)).map((name) => headers[name.toLowerCase()])],
  ...(expected.body === undefined ? [] : [headers['content-type'], body]),
];

function answerOf({ answer }: Recorded): Copy['answer'] {
  if ('message' in answer) return { message: { metadata: answer.message.metadata, body: parsed(answer.message.body) } };
  const { status, headers, text } = answer.reply;
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return { reply: { status, headers: Object.fromEntries(lower), body: parsed(text) } };
}

/** The answers under the alternatives that change the answer: replies that the reference implementation has given, and messages. */
function otherAnswers({ answer }: Recorded, provider: ServiceName): [name: string, answer: Copy['answer']][] {
  if ('reply' in answer)
    return Object.entries(answer.reply.others ?? {}).flatMap(([name, reply]) => {
      const isOfRequest = findAlternative(name)?.requestsDiffer && reply.status >= 400;
      return isOfRequest ? [] : [[name, { reply }]];
    });
  const { metadata } = answer.message;
  const body = parsed(answer.message.body);
  const others = otherMessages(provider, { event: String(fieldsOf(body).event ?? ''), metadata, body });
  return others.map(([name, message]) => [name, { message }]);
}

export const otherMessages = (provider: ServiceName, message: JsonMessage): [name: string, message: JsonMessage][] =>
  gaps.flatMap(({ id: gap, api, alternatives }) =>
    (api === provider ? alternatives : []).flatMap(({ id, is = [] }): [string, JsonMessage][] => {
      const changed = effectOnMessage(message, is);
      return changed ? [[`${gap}=${id}`, changed]] : [];
    }),
  );

const gapIn = (name: string) => name.split('=')[0] ?? '';

function findingsOf({ recorded, others }: Trial, problems: ReadonlyMap<Copy, Problem[]>, today: string): AssumptionFinding[] {
  const { source, index, answer } = recorded;
  const { description = '', restsOn = [] } = source.interactions[index] ?? {};
  const entries = source.beside?.assumptions ?? [];
  const isDeclared = (id: string) => restsOn.includes(id) || entries.some((one) => one.gap === id && isCurrent(one, today));
  const hider = new Hider([...secretsIn(source.interactions[index]), ...secretsIn(answer), ...secretsIn(answerOf(recorded))]);
  /** `name`: of an alternative, or of a gap. */
  const finding = (verdict: Verdict, name: string, where: Problem[]): AssumptionFinding => {
    const id = gapIn(name);
    const { question = '', choice = '' } = findGap(id) ?? {};
    const entry = entries.findLast((one) => one.gap === id);
    return {
      verdict,
      consumer: source.consumer,
      source: hider.text(source.source),
      description: hider.text(description),
      gap: { id, question, choice },
      alternative: findAlternative(name)?.text ?? '',
      declared: isDeclared(id),
      ...(entry && { entry }),
      problems: where.map(hider.problem),
    };
  };
  const failing = others.flatMap(([name, copy]) => {
    const where = problems.get(copy) ?? [];
    return where.length > 0 ? [finding(isDeclared(gapIn(name)) ? 'rests-on' : 'over-specified', name, where)] : [];
  });
  const unknown = restsOn.filter((id) => !findGap(id));
  return [...failing, ...unknown.map((id) => finding('unknown-gap', id, []))];
}
