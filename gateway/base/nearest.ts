import leven from 'leven';

/** Returns the known name with the smallest edit distance relative to its length, ignoring case. */
export function nearestOf(wanted: string, known: readonly string[]): string {
  const distance = (one: string) => leven(one.toLowerCase(), wanted.toLowerCase()) / Math.max(one.length, wanted.length);
  return known.reduce((best, one) => (distance(one) < distance(best) ? one : best));
}
