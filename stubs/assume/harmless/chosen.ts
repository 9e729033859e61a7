import type { ServiceName } from '../../../contracts/documents/services.ts';
import { harmlessChanges, harmlessGaps, harmlessId, isPlayedFor } from '../../../contracts/gaps/harmless.ts';
import { CouldNotRun } from '../../../contracts/tools/could-not-run.ts';
import { didYouMean } from '../../../gateway/base/nearest.ts';
import type { ActiveAlternative, Assumed } from '../chosen.ts';

/** Puts all harmless changes of an API in the place of `harmless=all`. */
export function withAll(api: ServiceName, { harmless, ...others }: Assumed): Assumed {
  if (harmless === undefined) return others;
  if (harmless === 'all') return { ...others, ...Object.fromEntries(harmlessGaps(api).map(({ id }) => [id, harmlessId])) };
  throw new CouldNotRun(
    `assume: harmless has no alternative "${harmless}". harmless=all makes all harmless changes, and harmless.gzip one of them.`,
  );
}

/** Throws `CouldNotRun` for a change that does not exist, or that a stub of this API does not play. */
export function activeHarmless(api: ServiceName, id: string, alternative: string): ActiveAlternative {
  const change = harmlessChanges.find((one) => one.id === id);
  const known = harmlessGaps(api).map((one) => one.id);
  if (!change)
    throw new CouldNotRun(
      `assume: "${id}" is not a harmless change. ${didYouMean(id, [...known, 'harmless=all'])}Those of ${api} are ${known.join(', ')}.`,
    );
  if (alternative !== harmlessId)
    throw new CouldNotRun(`assume: ${id} has no alternative "${alternative}". It has ${harmlessId}: ${change.text}`);
  if (!isPlayedFor(change, api)) throw new CouldNotRun(`assume: a stub of ${api} does not play ${id}. ${change.otherwise}`);
  return { gap: id, alternative, text: change.text };
}
