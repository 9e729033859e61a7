import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { listOwnFiles } from '../../base/own-files.ts';

export const languages = ['en', 'fr'] as const;
export type Language = (typeof languages)[number];

/** In the published package too. Translations are in docs/fr/, with the paths of the originals. */
const folder = new URL('../../../docs/', import.meta.url);

/** The files that are served, by their path in docs/. */
export interface Listing {
  /**
   * The guides, without `.md`, in the order of the README; others follow by name. After each come the pages in its folder, as it
   * links them.
   */
  guides: readonly string[];
  /** The translations, without `.md`: `fr/partners`. */
  translations: ReadonlySet<string>;
  /** Screenshots, with their extension. */
  images: ReadonlySet<string>;
}

const readingOrder =
  'partners ci operators alerts deploying troubleshooting faq reference glossary compare guarantees performance architecture'.split(
    ' ',
  );
const placeOf = (name: string) => (readingOrder.includes(name) ? readingOrder.indexOf(name) : readingOrder.length);

export function listGuides(): Listing {
  const files = listOwnFiles(folder);
  const isTranslation = (name: string) => languages.some((language) => name.startsWith(`${language}/`));
  const names = files
    .filter((name) => name.endsWith('.md') && !/^(decisions|spec)\//.test(name))
    .map((name) => name.slice(0, -'.md'.length))
    .sort();
  const originals = names.filter((name) => !isTranslation(name));
  const first = originals.filter((name) => !name.includes('/')).sort((one, other) => placeOf(one) - placeOf(other));
  return {
    guides: first.flatMap((guide) => [guide, ...pagesOf(guide, originals)]),
    translations: new Set(names.filter(isTranslation)),
    images: new Set(files.filter((name) => name.endsWith('.png'))),
  };
}

function pagesOf(guide: string, names: readonly string[]): string[] {
  const text = readFileSync(new URL(`${guide}.md`, folder), 'utf8');
  const linkOf = (name: string) => text.indexOf(`(${name}.md`);
  return names.filter((name) => name.startsWith(`${guide}/`)).sort((one, other) => linkOf(one) - linkOf(other));
}

/** The type of a file that is served as it is: a picture, or for agents Markdown and the list of it (llmstxt.org). */
export function typeOf(path: string, { guides, translations, images }: Listing): string | undefined {
  if (images.has(path)) return 'image/png';
  const name = path.replace(/\.md$/, '');
  const isMarkdown = name !== path && (guides.includes(name) || translations.has(name));
  return isMarkdown || path === 'llms.txt' ? 'text/plain; charset=utf-8' : undefined;
}

/** Reads a file. Its path must be from the listing. */
export const readDocsFile = (path: string): Promise<Buffer> => readFile(new URL(path, folder));
