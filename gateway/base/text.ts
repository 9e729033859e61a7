/** Removes case and accents for searches: `fold('Élève') === 'eleve'`. */
export const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();

/** Replaces what PostgreSQL cannot store: NUL and lone surrogates. For records only; input with them is rejected. */
export const storable = (text: string): string => text.replaceAll('\u0000', '\u2400').toWellFormed();

/** Escapes the text for a regular expression that should match exactly it. Node 22 has no `RegExp.escape`. */
export const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Returns the text as it is and as JSON escapes it. */
export const encodings = (text: string): string[] => [...new Set([text, JSON.stringify(text).slice(1, -1)])];
