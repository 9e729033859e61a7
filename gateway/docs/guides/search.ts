import MiniSearch from 'minisearch';
import { escapeHtml, textOfHtml } from '../escape.ts';
import type { Language, Listing } from './files.ts';
import { readGuide } from './read.ts';
import { wordsOf } from './words.ts';

/** A heading with the text below it. Its id is its address. */
interface Section {
  id: string;
  title: string;
  page: string;
  text: string;
  /** Of the text. */
  language: Language;
}

const mostShown = 20;

const indexes = new Map<Language, Promise<MiniSearch<Section>>>();

/** The results of a search as HTML. The first search of a process makes the index, which takes about a second. */
export async function resultsFor(query: string, language: Language, listing: Listing): Promise<string> {
  if (!indexes.has(language)) indexes.set(language, makeIndex(language, listing));
  const index = (await indexes.get(language)) as MiniSearch<Section>;
  const words = wordsOf[language];
  if (query === '') return `<p role="status">${words.searchHint}</p>`;
  const strict = index.search(query, { combineWith: 'AND' });
  const found = strict.length > 0 ? strict : index.search(query);
  const items = found
    .slice(0, mostShown)
    .map(
      ({ id, title, page, text, terms }) =>
        `<li><a href="${id}"><b>${escapeHtml(title)}</b><small>${escapeHtml(page)}</small><span>${excerpt(text, new Set(terms))}</span></a></li>`,
    );
  return `<p role="status">${escapeHtml(words.found(found.length, query, mostShown))}</p><ol class="found">${items.join('')}</ol>`;
}

const withoutAccents = (term: string) => term.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
/** Splits a text into terms as MiniSearch does, but keeps the parts between the terms. */
const betweenTerms = /([\n\r\p{Z}\p{P}]+)/u;

async function makeIndex(language: Language, listing: Listing): Promise<MiniSearch<Section>> {
  const index = new MiniSearch<Section>({
    fields: ['title', 'page', 'text'],
    storeFields: ['title', 'page', 'text', 'language'],
    processTerm: withoutAccents,
    searchOptions: {
      prefix: (term) => term.length > 2,
      // Figures and short words must match exactly. In other words one letter may be wrong: two would take ten times as long.
      fuzzy: (term) => (/^\p{L}{5,}$/u.test(term) ? 1 : false),
      boost: { title: 4, page: 2 },
      weights: { prefix: 0.2, fuzzy: 0.2 },
      // Translated pages come first.
      boostDocument: (_id, _term, section) => (section?.language === language ? 5 : 1),
    },
  });
  // Calls are answered between the pages.
  for (const name of listing.guides) await index.addAllAsync(await sectionsOf(name, language, listing));
  return index;
}

async function sectionsOf(name: string, language: Language, listing: Listing): Promise<Section[]> {
  const { address, plainTitle, html, language: written } = await readGuide(name, language, listing);
  return html.split(/(?=<h[1-4] id=")/).flatMap((part) => {
    const [, anchor, title = '', text = ''] = /^<h[1-4] id="([^"]*)">(.*)<\/h[1-4]>\n([\s\S]*)/.exec(part) ?? [];
    return anchor === undefined
      ? []
      : [{ id: `${address}#${anchor}`, title: textOfHtml(title), page: plainTitle, text: textOfHtml(text), language: written }];
  });
}

/** About 30 words around the first one that was found, as HTML. */
function excerpt(text: string, terms: ReadonlySet<string>): string {
  const words = text.split(/\s+/);
  const isFound = (term: string) => terms.has(withoutAccents(term));
  const start = Math.max(0, words.findIndex((word) => word.split(betweenTerms).some(isFound)) - 8);
  const shown = words
    .slice(start, start + 30)
    .join(' ')
    .split(betweenTerms);
  const marked = shown.map((part) => (isFound(part) ? `<mark>${escapeHtml(part)}</mark>` : escapeHtml(part)));
  return `${start > 0 ? '… ' : ''}${marked.join('')}`;
}
