/** Control characters, characters that reverse or hide text (Trojan Source), and lone surrogates. */
const unseen = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffe\uffff]/gu;

const shown = (character: string) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/** Escapes characters in foreign text that would move the cursor, change colours, or reverse or hide text. */
export const plain = (text: string): string => text.replaceAll('\t', '  ').replaceAll(unseen, shown);

/** Like `plain`, but keeps line breaks: returns one string per line. */
export const plainLines = (text: string): string[] => text.split(/\r\n|\n|\r/).map(plain);

/** Cuts text to `limit` characters and adds the number of omitted ones. */
export function shorten(text: string, limit: number): string {
  const characters = text.length > limit ? [...text] : [];
  if (characters.length <= limit) return text;
  return `${characters.slice(0, limit).join('')}… (${characters.length - limit} more characters)`;
}

/** Splits text into lines of at most `width` characters, at spaces if possible. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const paragraph of plainLines(text)) {
    let rest = [...paragraph];
    while (rest.length > width) {
      const space = rest.lastIndexOf(' ', width);
      const at = space > 0 ? space : width;
      lines.push(rest.slice(0, at).join(''));
      rest = rest.slice(space > 0 ? at + 1 : at);
    }
    lines.push(rest.join(''));
  }
  return lines;
}

/** Returns the number of characters. */
export const widthOf = (text: string) => [...text].length;

/** Formats a duration: `1.2 s` or `35 ms`. */
export const duration = (ms: number) => (ms >= 1000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms)} ms`);

/** Formats a count: `1 interaction`, `2 interactions`. */
export const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** Lists the first of these texts: `one, two and 3 more`. */
export const firstOf = (texts: readonly string[], most: number): string =>
  texts.slice(0, most).join(', ') + (texts.length > most ? ` and ${texts.length - most} more` : '');

/** Characters of a label before its text. */
export const labelWidth = 12;
