import { didYouMean } from '../../../gateway/base/nearest.ts';
import type { ServiceName } from '../../../spec/documents/services.ts';
import { contradictionIn } from '../../../spec/gaps/gaps.ts';
import { harmlessChanges } from '../../../spec/gaps/harmless.ts';
import { type Assumed, assumedText } from '../../../stubs/assume/chosen.ts';
import { entriesOf } from '../../../stubs/assume/live.ts';
import { CouldNotRun } from '../could-not-run.ts';
import type { Excludes } from './search/groups.ts';
import type { Candidate, Played } from './types.ts';

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

/** True for two alternatives that no service can have at the same time: they belong to one gap, or contradict each other. */
export const excludes: Excludes = (one, other) =>
  one.split('=')[0] === other.split('=')[0] || contradictionIn([one, other]) !== undefined;

/** True for an alternative whose effect no call shows, but only a webhook. */
export const needsReceiver = ({ gap }: Played): boolean => harmlessChanges[gap]?.needsReceiver === true;

/**
 * The alternatives that only the owner settles, by question. The last alternative changes most, so it comes first. An alternative
 * that `only` names is always tried.
 */
export function questionsOf(candidates: readonly Candidate[], only: readonly string[]): string[][] {
  const isNamedItself = ({ gap, id }: Candidate) => only.includes(id) || only.includes(gap);
  const owners = candidates.filter(({ settledBy }) => settledBy === 'owner').toReversed();
  const groups = Map.groupBy(owners, (one) => (isNamedItself(one) ? one.id : one.gap));
  return [...groups.values()].map((own) => own.map(({ id }) => id));
}

/** The alternatives of a set that belong to an API, as `startStub` takes them. */
export function assumedOf(candidates: readonly Played[], set: readonly string[], api: ServiceName): Assumed {
  const own = candidates.filter((one) => one.api === api && set.includes(one.id));
  return Object.fromEntries(own.map(({ gap, alternative }) => [gap, alternative]));
}

/** The group of a gap: `pos`, `cohesion` or `harmless`. The name of a group stands for all of its gaps. */
const groupOf = (gap: string): string => gap.slice(0, gap.indexOf('.'));

/** True if one of these names means the alternative: its own, its gap's, or its group's. */
export const isNamed = ({ gap, id }: Candidate, names: readonly string[]): boolean =>
  [id, gap, groupOf(gap)].some((name) => names.includes(name));

/** Throws `CouldNotRun` if a name is not a group, a gap, or an alternative that a stub plays. `option`: where it was given. */
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
