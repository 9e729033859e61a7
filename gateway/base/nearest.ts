import leven from 'leven';

/** The known name that a misspelt one most likely means: without case, in proportion to the length, since some are prose. */
export function nearestOf(wanted: string, known: readonly string[]): string {
  const distance = (one: string) => leven(one.toLowerCase(), wanted.toLowerCase()) / Math.max(one.length, wanted.length);
  return known.reduce((best, one) => (distance(one) < distance(best) ? one : best));
}
