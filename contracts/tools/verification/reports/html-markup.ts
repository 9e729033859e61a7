import { plainLines } from './plain.ts';

/** HTML that needs no escaping. Only `markup` and `written` make it. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Content = string | number | Markup | readonly Content[];

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes text for HTML content and quoted attributes. Characters that reverse or hide text are written as `\u{...}`. */
export const htmlText = (text: string): string =>
  plainLines(text)
    .join('\n')
    .replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');

/** Returns the HTML of a value: text is escaped, `Markup` is not, lists are joined. */
function written(value: Content): string {
  if (value instanceof Markup) return value.text;
  return typeof value === 'object' ? value.map(written).join('') : htmlText(String(value));
}

/** A tagged template for HTML: every value in it is escaped unless it is `Markup`. */
export const markup = (parts: TemplateStringsArray, ...values: readonly Content[]): Markup =>
  new Markup(String.raw({ raw: parts }, ...values.map(written)));

/** Foreign text within a line. Text from right to left does not move what stands around it. */
export const foreign = (text: string): Markup => markup`<bdi>${text}</bdi>`;
