import { isDeepStrictEqual } from 'node:util';
import type { ServiceName } from '../../documents/services.ts';
import type { Gap } from '../../register/gap.ts';
import { gaps } from '../../register/gaps.ts';
import type { Problem } from '../verification/result.ts';
import type { Recorded } from '../verification/run.ts';
import type { PactSource } from '../verification/sources.ts';
import { type Alternative, type Asked, otherMessage, otherReply } from './alternative.ts';
import { alternatives, untestable } from './alternatives.ts';
import { type Copy, replay } from './replay.ts';
import { askedBy, parsed, readWritten, type Written, type WrittenPact } from './written.ts';

type Verdict =
  /** The interaction would fail under another choice, and names this gap. */
  | 'rests-on'
  /** It would fail under another choice, but does not name the gap: it expects more than the documents show. */
  | 'over-specified'
  /** It names the gap, but would pass under every other choice. Not a failure. */
  | 'needless'
  /** It names a gap that does not exist. Not a failure. */
  | 'unknown-gap';

/** The relation of one interaction to one gap. */
export interface AssumptionFinding {
  verdict: Verdict;
  consumer: string;
  /** The pact's file name or URL. */
  source: string;
  description: string;
  gap: Pick<Gap, 'id' | 'question' | 'choice'>;
  /** The choice under which it would fail, as in the register; empty for notes. */
  alternative: string;
  /** True if the interaction's references name the gap. */
  declared: boolean;
  /** The problems of the failure; empty for notes. */
  problems: Problem[];
}

export interface AssumptionsInput {
  provider: ServiceName;
  /** The answers of the provider, from `verify`. Interactions that did not pass are skipped. */
  recorded: readonly Recorded[];
}

/** Checks which interactions would fail if the provider had chosen otherwise where the documents leave a choice. */
export async function checkAssumptions({ provider, recorded }: AssumptionsInput): Promise<AssumptionFinding[]> {
  const pacts = new Map<PactSource, WrittenPact>();
  for (const source of new Set(recorded.map(({ source: one }) => one))) pacts.set(source, await readWritten(source));
  const trials = recorded.map((one) => trialOf(one, pacts.get(one.source) as WrittenPact, alternatives[provider]));
  const copies = [...new Set(trials.flatMap(({ control, others }) => [control, ...others.flatMap(({ copy }) => copy ?? [])]))];
  const problems = await replay(provider, copies);
  const found = new Map(copies.map((copy, at) => [copy, problems[at] ?? []]));
  return trials
    .filter(({ control }) => found.get(control)?.length === 0)
    .flatMap((trial) => findingsOf(trial, found, untestable[provider]));
}

/** An interaction, its actual answer, and its answers under the alternatives that change it. */
interface Trial {
  recorded: Recorded;
  control: Copy;
  /** `copy` is undefined if the change affects nothing that the interaction checks. */
  others: { alternative: Alternative; copy: Copy | undefined }[];
}

function trialOf(recorded: Recorded, pact: WrittenPact, choices: readonly Alternative[]): Trial {
  const { source, index } = recorded;
  const interaction = pact.interactions[index];
  const read = source.interactions[index];
  if (!interaction || !read) throw new Error(`${source.source} has no interaction ${index + 1}.`);
  const answer = answerOf(recorded);
  const control: Copy = { pact, interaction, answer };
  const asked = read.kind === 'http' ? askedBy(read.request, read.states, interaction.written) : undefined;
  const known: Copy[] = [control];
  const others = choices.flatMap((alternative) => {
    const other = otherAnswer(alternative, answer, asked);
    if (!other) return [];
    const copy = known.find((one) => isIndistinguishable(interaction.written, one.answer, other)) ?? {
      pact,
      interaction,
      answer: other,
    };
    if (!known.includes(copy)) known.push(copy);
    return [{ alternative, copy: copy === control ? undefined : copy }];
  });
  return { recorded, control, others };
}

function answerOf({ answer }: Recorded): Copy['answer'] {
  if ('message' in answer) return { message: { metadata: answer.message.metadata, body: parsed(answer.message.body) } };
  const { status, headers, text } = answer.reply;
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return { reply: { status, headers: Object.fromEntries(lower), body: parsed(text) } };
}

function otherAnswer(alternative: Alternative, answer: Copy['answer'], asked: Asked | undefined): Copy['answer'] | undefined {
  if ('reply' in answer) {
    const reply = asked && otherReply(alternative, answer.reply, asked);
    return reply && { reply };
  }
  const { body, metadata } = answer.message;
  const event = String((body as Record<string, unknown> | null)?.event ?? '');
  const message = otherMessage(alternative, { event, metadata, body });
  return message && { message: { metadata: message.metadata, body: message.body } };
}

/** Returns true if the interaction checks nothing in which the answers differ, so Pact need not run again. */
function isIndistinguishable(interaction: Written, one: Copy['answer'], other: Copy['answer']): boolean {
  return isDeepStrictEqual(checkedParts(interaction, one), checkedParts(interaction, other));
}

function checkedParts({ response, contents, metadata, metaData }: Written, answer: Copy['answer']): unknown {
  if ('message' in answer) {
    return [
      contents === undefined ? null : answer.message.body,
      (metadata ?? metaData) === undefined ? null : answer.message.metadata,
    ];
  }
  const { headers = {}, body } = (response ?? {}) as { headers?: object; body?: unknown };
  const names = [
    ...Object.keys(headers ?? {}).map((name) => name.toLowerCase()),
    ...(body === undefined ? [] : ['content-type']),
  ];
  return [answer.reply.status, names.map((name) => answer.reply.headers[name]), body === undefined ? null : answer.reply.body];
}

function findingsOf(
  { recorded, others }: Trial,
  problems: ReadonlyMap<Copy, Problem[]>,
  untestableGaps: Readonly<Record<string, string>>,
): AssumptionFinding[] {
  const { source, index } = recorded;
  const { description = '', restsOn = [] } = source.interactions[index] ?? {};
  const finding = (verdict: Verdict, id: string, alternative: string, where: Problem[]): AssumptionFinding => {
    const { question = '', choice = '' } = gaps.find((gap) => gap.id === id) ?? {};
    const declared = restsOn.includes(id);
    return {
      verdict,
      consumer: source.consumer,
      source: source.source,
      description,
      gap: { id, question, choice },
      alternative,
      declared,
      problems: where,
    };
  };
  const failing = others.flatMap(({ alternative: { gap, choice }, copy }) => {
    const where = copy ? (problems.get(copy) ?? []) : [];
    return where.length > 0 ? [finding(restsOn.includes(gap) ? 'rests-on' : 'over-specified', gap, choice, where)] : [];
  });
  const notes = restsOn.flatMap((id): AssumptionFinding[] => {
    if (!gaps.some((gap) => gap.id === id)) return [finding('unknown-gap', id, '', [])];
    const tried = others.some(({ alternative }) => alternative.gap === id);
    const fails = failing.some(({ gap }) => gap.id === id);
    return tried && !fails && !Object.hasOwn(untestableGaps, id) ? [finding('needless', id, '', [])] : [];
  });
  return [...failing, ...notes];
}
