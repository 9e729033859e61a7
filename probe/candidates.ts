import type { ServiceName } from '../contracts/documents/services.ts';
import type { Need } from '../contracts/gaps/gap.ts';
import { contradictionIn, findAlternative } from '../contracts/gaps/gaps.ts';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { didYouMean } from '../gateway/base/nearest.ts';
import { type Assumed, assumedText } from '../stubs/assume/chosen.ts';
import { entriesOf } from '../stubs/assume/live.ts';
import type { Candidate } from './types.ts';

/** Every alternative that a stub of the API can play, in the register's order. */
export const candidatesOf = (api: ServiceName): Candidate[] =>
  entriesOf(api).flatMap(({ id: gap, question, quote, section, choice, alternatives }) =>
    alternatives
      .filter(({ notPlayed }) => notPlayed === undefined)
      .map(({ id: alternative, settledBy, text }) => ({
        id: assumedText(gap, alternative),
        api,
        gap,
        alternative,
        settledBy,
        question,
        quote,
        section,
        choice,
        text,
      })),
  );

/** True for two alternatives that no service can have at once: of one gap, or a contradiction. */
export function excluding(candidates: readonly Candidate[]): (one: string, other: string) => boolean {
  const gapOf = new Map(candidates.map(({ id, gap }) => [id, gap]));
  return (one, other) => gapOf.get(one) === gapOf.get(other) || contradictionIn([one, other]) !== undefined;
}

/** What must happen for an alternative to show, if no call shows it. */
export const needOf = ({ api, gap, alternative }: Candidate): Need | undefined =>
  entriesOf(api)
    .find(({ id }) => id === gap)
    ?.alternatives.find(({ id }) => id === alternative)?.needs;

/** True for an alternative under which a test may pass that fails under another one. */
export const hidesOthers = (id: string): boolean => findAlternative(id)?.hidesRows === true;

/**
 * The alternatives that only the service's owner settles, a list for each question. The last one of a gap is tried first: it changes most,
 * such as every name. What `only` names with its gap is tried whatever is found under the others.
 */
export function questionsOf(candidates: readonly Candidate[], only: readonly string[]): string[][] {
  const isNamedItself = ({ gap, id }: Candidate) => only.includes(id) || only.includes(gap);
  const owners = candidates.filter(({ settledBy }) => settledBy === 'owner').toReversed();
  const groups = Map.groupBy(owners, (one) => (isNamedItself(one) ? one.id : one.gap));
  return [...groups.values()].map((own) => own.map(({ id }) => id));
}

/** The alternatives of a set that belong to an API, as `startStub` takes them. */
export function assumedOf(candidates: readonly Candidate[], set: readonly string[], api: ServiceName): Assumed {
  const own = candidates.filter((one) => one.api === api && set.includes(one.id));
  return Object.fromEntries(own.map(({ gap, alternative }) => [gap, alternative]));
}

/** The group of a gap, by which all of its questions are asked about: `pos`, `cohesion` or `harmless`. */
const groupOf = (gap: string): string => gap.slice(0, gap.indexOf('.'));

/** True if one of these names means the alternative: its own, its gap's, or its group's. */
export const isNamed = ({ gap, id }: Candidate, names: readonly string[]): boolean =>
  [id, gap, groupOf(gap)].some((name) => names.includes(name));

/** Throws `CouldNotRun` for a name that is no group, gap or alternative that a stub plays. `option`: where it was given. */
export function checkOnly(apis: readonly ServiceName[], only: readonly string[] = [], option: string): void {
  const known = [...new Set(apis.flatMap(candidatesOf).flatMap(({ gap, id }) => [groupOf(gap), gap, id]))];
  for (const one of only) {
    if (known.includes(one)) continue;
    const [gap = ''] = one.split('=');
    const isGap = apis.flatMap(entriesOf).some(({ id }) => id === gap);
    throw new CouldNotRun(
      isGap
        ? `${option}: a stub does not play ${one}. passerelle gaps ${gap} shows what it plays.`
        : `${option}: "${one}" is no gap or alternative of ${apis.join(' and ')}. ${didYouMean(one, known)}passerelle gaps lists them.`,
    );
  }
}
