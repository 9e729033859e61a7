/** Text without case and accents, for searches: `fold('Élève') === 'eleve'`. */
export function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
}

/** Text as PostgreSQL can store it: no NUL, no half of a surrogate pair. For evidence only; input is refused instead. */
export function storable(text: string): string {
  return text.replaceAll('\u0000', '\u2400').toWellFormed();
}
