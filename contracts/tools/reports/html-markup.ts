import { hash } from 'node:crypto';
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

/** An entry of a `dl`. */
export const term = (label: string, content: Content): Markup => markup`<dt>${label}</dt><dd>${content}</dd>
`;

/** A page without scripts and without anything to load. Its policy forbids both, so that nothing in a foreign text can run. */
export function htmlPage(title: string, css: string, main: Content): string {
  const policy = `default-src 'none'; style-src 'sha256-${hash('sha256', css, 'base64')}'; base-uri 'none'; form-action 'none'`;
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Markup(css)}</style>
</head>
<body>
<main>
${main}</main>
</body>
</html>
`.text;
}
