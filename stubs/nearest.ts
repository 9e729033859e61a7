import leven from 'leven';

/** The name that a misspelt one most likely means. */
export function nearestOf(wanted: string, names: readonly string[]): string {
  return names.toSorted((one, other) => leven(one, wanted) - leven(other, wanted))[0] ?? '';
}
