import leven from 'leven';

/** The largest distance, relative to the length, at which a name is suggested. */
const farthest = 0.6;

/** Returns the known name with the smallest edit distance relative to its length, ignoring case. */
export function nearestOf(wanted: string, known: readonly string[]): string {
  return known.reduce((best, one) => (distance(one, wanted) < distance(best, wanted) ? one : best));
}

/** Returns the known name that is nearest; undefined if none is near, because a wrong suggestion is worse than none. */
export function nearOf(wanted: string, known: readonly string[]): string | undefined {
  const nearest = known.length === 0 ? '' : nearestOf(wanted, known);
  return nearest === '' || distance(nearest, wanted) > farthest ? undefined : nearest;
}

/**
 * Returns `Did you mean NAME? ` for the nearest name; '' if none is near. `shown` says how the name is written.
 */
export function didYouMean(wanted: string, known: readonly string[], shown = (name: string) => name): string {
  const nearest = nearOf(wanted, known);
  return nearest === undefined ? '' : `Did you mean ${shown(nearest)}? `;
}

const distance = (one: string, wanted: string) =>
  leven(one.toLowerCase(), wanted.toLowerCase()) / Math.max(one.length, wanted.length);
