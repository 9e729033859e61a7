import { didYouMean } from '../../../gateway/base/nearest.ts';
import type { ServiceName } from '../../../spec/documents/services.ts';
import { nameAlternative } from '../../../spec/gaps/gaps.ts';
import { entriesOf } from '../../../stubs/assume/live.ts';
import { CouldNotRun } from '../could-not-run.ts';
import type { Candidate } from './types.ts';

/** Every alternative that a stub of the API can play, in the register's order. */
export const candidatesOf = (api: ServiceName): Candidate[] =>
  entriesOf(api).flatMap(({ id: gap, question, quote, section, choice, alternatives }) =>
    alternatives.flatMap(({ id: alternative, settledBy, text, notPlayed }) => {
      const id = nameAlternative(gap, alternative);
      return notPlayed === undefined ? [{ api, gap, question, quote, section, choice, id, alternative, settledBy, text }] : [];
    }),
  );

/**
 * The alternatives by question, of which one that fails is enough. Each that a client can settle, or that `only` names, is a
 * question of its own. The last alternative changes most, so it comes first.
 */
export function questionsOf(candidates: readonly Candidate[], only: readonly string[]): string[][] {
  const isAlone = ({ gap, id, settledBy }: Candidate) => settledBy === 'client' || only.includes(id) || only.includes(gap);
  const questions = Map.groupBy(candidates.toReversed(), (one) => (isAlone(one) ? one.id : one.gap));
  return [...questions.values()].map((own) => own.map(({ id }) => id));
}

/** The names that mean an alternative: its own, its gap's, and its group's (`pos`, `cohesion` or `harmless`). */
const namesOf = ({ gap, id }: Candidate): string[] => [gap.slice(0, gap.indexOf('.')), gap, id];

export const isNamed = (one: Candidate, names: readonly string[]): boolean => namesOf(one).some((name) => names.includes(name));

/** Throws `CouldNotRun` if a name is not a group, a gap, or an alternative that a stub plays. `option`: where it was given. */
export function checkOnly(apis: readonly ServiceName[], only: readonly string[] = [], option: string): void {
  const known = [...new Set(apis.flatMap(candidatesOf).flatMap(namesOf))];
  const unknown = only.find((one) => !known.includes(one));
  if (unknown === undefined) return;
  const [gap = ''] = unknown.split('=');
  const isGap = apis.flatMap(entriesOf).some(({ id }) => id === gap);
  throw new CouldNotRun(
    isGap
      ? `${option}: a stub does not play ${unknown}. passerelle gaps ${gap} shows what it plays.`
      : `${option}: "${unknown}" is no gap or alternative of ${apis.join(' and ')}. ${didYouMean(unknown, known)}passerelle gaps lists them.`,
  );
}
