import { isDeepStrictEqual } from 'node:util';
import type { Provider } from '../../documents/services.ts';
import type { Gap } from '../../register/gap.ts';
import { gaps } from '../../register/gaps.ts';
import type { Problem } from '../verification/result.ts';
import type { Recorded } from '../verification/run.ts';
import type { PactSource } from '../verification/sources.ts';
import { type Alternative, type Asked, otherMessage, otherReply } from './alternative.ts';
import { alternatives, unseen } from './alternatives.ts';
import { type Copy, replay } from './replay.ts';
import { askedBy, parsed, readWritten, type Written, type WrittenPact } from './written.ts';

export type Verdict =
  /** It would fail under another choice, and says that it rests on this one. */
  | 'rests-on'
  /** It would fail under another choice, and does not say so: it asserts more than the documents show. */
  | 'over-specified'
  /** It says that it rests on this choice, and would pass under each of the others. A note, no failure. */
  | 'needless'
  /** It names an entry that the gap register does not have. A note, no failure. */
  | 'unknown-gap';

/** What one interaction of a pact has to do with one entry of the gap register. */
export interface AssumptionFinding {
  verdict: Verdict;
  consumer: string;
  /** The pact, as the user named it. */
  source: string;
  description: string;
  gap: Pick<Gap, 'id' | 'question' | 'choice'>;
  /** The other choice under which it would fail, in the words of the register; empty for notes. */
  alternative: string;
  /** The interaction's references name the gap. */
  declared: boolean;
  /** Where it would fail; empty for notes. */
  problems: Problem[];
}

export interface AssumptionsInput {
  provider: Provider;
  /** What the provider said to each interaction (`verify`). One that did not pass is left out. */
  recorded: readonly Recorded[];
}

/** Asks of each interaction whether it would still pass, had the provider chosen otherwise where the documents are silent. */
export async function checkAssumptions({ provider, recorded }: AssumptionsInput): Promise<AssumptionFinding[]> {
  const pacts = new Map<PactSource, WrittenPact>();
  for (const source of new Set(recorded.map(({ source: one }) => one))) pacts.set(source, await readWritten(source));
  const trials = recorded.map((one) => trialOf(one, pacts.get(one.source) as WrittenPact, alternatives[provider]));
  const copies = [...new Set(trials.flatMap(({ control, others }) => [control, ...others.flatMap(({ copy }) => copy ?? [])]))];
  const problems = await replay(provider, copies);
  const found = new Map(copies.map((copy, at) => [copy, problems[at] ?? []]));
  return trials
    .filter(({ control }) => found.get(control)?.length === 0)
    .flatMap((trial) => findingsOf(trial, found, unseen[provider]));
}

/** An interaction, what was said to it, and what would have been said under each alternative that changes it. */
interface Trial {
  recorded: Recorded;
  control: Copy;
  /** Without a copy: a change of what the interaction does not look at. */
  others: { alternative: Alternative; copy: Copy | undefined }[];
}

function trialOf(recorded: Recorded, pact: WrittenPact, choices: readonly Alternative[]): Trial {
  const { source, index } = recorded;
  const interaction = pact.interactions[index];
  const read = source.interactions[index];
  if (!interaction || !read) throw new Error(`${source.source} has no interaction ${index + 1}.`);
  const said = saidOf(recorded);
  const control: Copy = { pact, interaction, said };
  const asked = read.kind === 'http' ? askedBy(read.request, read.states, interaction.written) : undefined;
  const known: Copy[] = [control];
  const others = choices.flatMap((alternative) => {
    const other = otherSaid(alternative, said, asked);
    if (!other) return [];
    const copy = known.find((one) => looksSame(interaction.written, one.said, other)) ?? { pact, interaction, said: other };
    if (!known.includes(copy)) known.push(copy);
    return [{ alternative, copy: copy === control ? undefined : copy }];
  });
  return { recorded, control, others };
}

function saidOf({ said }: Recorded): Copy['said'] {
  if ('message' in said) return { message: { metadata: said.message.metadata, body: parsed(said.message.body) } };
  const { status, headers, text } = said.reply;
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return { reply: { status, headers: Object.fromEntries(lower), body: parsed(text) } };
}

function otherSaid(alternative: Alternative, said: Copy['said'], asked: Asked | undefined): Copy['said'] | undefined {
  if ('reply' in said) {
    const reply = asked && otherReply(alternative, said.reply, asked);
    return reply && { reply };
  }
  const { body, metadata } = said.message;
  const event = String((body as Record<string, unknown> | null)?.event ?? '');
  const message = otherMessage(alternative, { event, metadata, body });
  return message && { message: { metadata: message.metadata, body: message.body } };
}

/** Whether the two differ at most in what the interaction does not look at: then Pact need not be asked again. */
function looksSame(interaction: Written, one: Copy['said'], other: Copy['said']): boolean {
  return isDeepStrictEqual(lookedAt(interaction, one), lookedAt(interaction, other));
}

function lookedAt({ response, contents, metadata, metaData }: Written, said: Copy['said']): unknown {
  if ('message' in said) {
    return [
      contents === undefined ? null : said.message.body,
      (metadata ?? metaData) === undefined ? null : said.message.metadata,
    ];
  }
  const { headers = {}, body } = (response ?? {}) as { headers?: object; body?: unknown };
  const names = [
    ...Object.keys(headers ?? {}).map((name) => name.toLowerCase()),
    ...(body === undefined ? [] : ['content-type']),
  ];
  return [said.reply.status, names.map((name) => said.reply.headers[name]), body === undefined ? null : said.reply.body];
}

function findingsOf(
  { recorded, others }: Trial,
  problems: ReadonlyMap<Copy, Problem[]>,
  unseenGaps: Readonly<Record<string, string>>,
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
    return tried && !fails && !Object.hasOwn(unseenGaps, id) ? [finding('needless', id, '', [])] : [];
  });
  return [...failing, ...notes];
}
