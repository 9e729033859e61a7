/** The largest distance, relative to the length, at which a name is suggested. */
const farthest = 0.5;

/** The maximum number of names in a suggestion. More would not help. */
const mostSuggested = 3;

/** Returns the known name with the smallest edit distance relative to its length, ignoring case. */
export function nearestOf(wanted: string, known: readonly string[]): string {
  const distances = known.map((one) => distance(one, wanted));
  return known[distances.indexOf(Math.min(...distances))] as string;
}

/** Returns the known name that is nearest; undefined if none is near, because a wrong suggestion is worse than none. */
export function nearOf(wanted: string, known: readonly string[], within = farthest): string | undefined {
  // Each letter that one name is longer is an edit, so most names need no comparison.
  const similar = known.filter((one) => Math.abs(one.length - wanted.length) <= within * Math.max(one.length, wanted.length));
  const nearest = similar.length === 0 ? '' : nearestOf(wanted, similar);
  return nearest === '' || distance(nearest, wanted) > within ? undefined : nearest;
}

/**
 * Returns `Did you mean NAME? ` for the nearest name, or `NAME or OTHER` for names that are equally near; '' if none is near. `shown`
 * says how a name is written.
 */
export function didYouMean(wanted: string, known: readonly string[], shown = (name: string) => name): string {
  const nearest = nearOf(wanted, known);
  if (nearest === undefined) return '';
  const least = distance(nearest, wanted);
  const names = [...new Set(known)].filter((one) => distance(one, wanted) === least).slice(0, mostSuggested);
  return `Did you mean ${names.map(shown).join(' or ')}? `;
}

/**
 * Returns the message that refuses a name, for the case that all possible names fit into one sentence. `fault`: such as `is not
 * an API`.
 */
export const refusedName = (wanted: string, fault: string, known: readonly string[]): string =>
  `"${wanted}" ${fault}. Did you mean ${nearestOf(wanted, known)}? Use one of ${known.join(', ')}.`;

const distance = (one: string, wanted: string) =>
  editsBetween(one.toLowerCase(), wanted.toLowerCase()) / Math.max(one.length, wanted.length);

/**
 * The number of letters to add, remove or change, where two swapped neighbours count once: the commonest slip of a typist. This is the
 * optimal string alignment distance.
 */
function editsBetween(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const edits = Math.min((last[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1, (last[column - 1] ?? 0) + (isSame ? 0 : 1));
      next.push(row > 1 && column > 1 && isSwapped ? Math.min(edits, (before[column - 2] ?? 0) + 1) : edits);
    }
    before = last;
    last = next;
  }
  return last[other.length] ?? 0;
}
