import type { FastifyReply } from 'fastify';
import { nearOf } from '../../base/nearest.ts';
import { searchForm, sendTextPage, type TextPage, textPage } from '../layout.ts';
import type { Heading } from '../markdown.ts';
import { type Language, type Listing, languages } from './files.ts';
import { addressIn, type ReadGuide, readGuide } from './read.ts';
import { type Words, wordsOf } from './words.ts';

/** All guides: title and summary of each, and its pages. */
export async function sendIndex(reply: FastifyReply, language: Language, listing: Listing): Promise<FastifyReply> {
  const guides = await Promise.all(
    listing.guides.map((name) => readGuide(name, language, listing, name.includes('/') ? 'title' : 'all')),
  );
  const items = guides.map((guide) =>
    guide.name.includes('/') ? `<li>${linkTo(guide)}</li>` : `</ul><h2>${linkTo(guide)}</h2>${guide.summary}<ul class="pages">`,
  );
  const main = `<h1>${wordsOf[language].guides}</h1><ul>${items.join('')}</ul>`.replaceAll(/<ul[^>]*><\/ul>/g, '');
  return send(reply, language, '', { title: wordsOf[language].guides, main });
}

export async function sendPage(reply: FastifyReply, language: Language, name: string, listing: Listing): Promise<FastifyReply> {
  const words = wordsOf[language];
  if (!listing.guides.includes(name)) {
    const index = `<a href="${addressIn(language)}">${words.allPages}</a>`;
    // Anybody may ask, and the comparison takes as long as the text.
    const near = nearOf(name.slice(0, 100), listing.guides);
    const suggested =
      near === undefined ? '' : `<p>${words.didYouMean(linkTo(await readGuide(near, language, listing, 'title')))}</p>`;
    const main = `<h1>${words.noSuchGuide}</h1>${suggested}<p>${words.noSuchGuideText(index)}</p>${searchForm(language, '')}`;
    return send(reply.code(404), language, '', { title: words.noSuchGuide, main });
  }
  const guide = await readGuide(name, language, listing);
  const titles = await Promise.all(listing.guides.map((one) => readGuide(one, language, listing, 'title')));
  const contents = contentsOf(guide.headings, words);
  const note = guide.language === language ? '' : `<p class="note" lang="${language}">${words.notTranslated}</p>\n`;
  return send(reply, language, name, {
    title: guide.plainTitle,
    main: `${opening(contents, words)}${note}${guide.html}${around(titles, name, words)}`,
    written: guide.language,
    sides: { pages: pagesList(titles, name, language), contents },
  });
}

/** The page of a search. The dialog of the other pages shows its results. */
export async function sendSearch(reply: FastifyReply, language: Language, q: unknown, listing: Listing): Promise<FastifyReply> {
  const words = wordsOf[language];
  const { resultsFor } = await import('./search.ts');
  // Anybody may ask, so a question has at most 8 words.
  const query = typeof q === 'string' ? q.slice(0, 100).trim().split(/\s+/).slice(0, 8).join(' ') : '';
  const main = `<h1>${words.search}</h1>${searchForm(language, query)}<div class="results">${await resultsFor(query, language, listing)}</div>`;
  return send(reply, language, query === '' ? 'search' : `search?${new URLSearchParams({ q: query })}`, {
    title: words.search,
    main,
  });
}

function send(reply: FastifyReply, language: Language, name: string, page: Omit<TextPage, 'path'>): FastifyReply {
  const translations = Object.fromEntries(languages.map((one) => [one, addressIn(one, name)])) as Record<Language, string>;
  return sendTextPage(reply, textPage({ ...page, path: '/docs/guides', language, translations }));
}

const linkTo = ({ address, title }: ReadGuide, attributes = '') => `<a href="${address}"${attributes}>${title}</a>`;

/** All guides. The open one has its pages, under the headings of its first page. */
function pagesList(titles: readonly ReadGuide[], open: string, language: Language): string {
  const [guide = ''] = open.split('/');
  const { text = '' } = titles.find(({ name }) => name === guide) ?? {};
  const headingOf = (name: string) => [...text.slice(0, text.indexOf(`${name}.md`)).matchAll(/^## (.+)$/gm)].at(-1)?.[1] ?? '';
  const item = (one: ReadGuide, rest = '') =>
    `<li${one.language === language ? '' : ` lang="${one.language}"`}>${linkTo(one, one.name === open ? ' aria-current="page"' : '')}${rest}</li>`;
  const groups = Map.groupBy(
    titles.filter(({ name }) => name.startsWith(`${guide}/`)),
    ({ name }) => headingOf(name),
  );
  const lists = [...groups].map(
    ([heading, pages]) =>
      `<ul>${groups.size > 1 && heading !== '' ? `<li><strong>${heading}</strong></li>` : ''}${pages.map((one) => item(one)).join('')}</ul>`,
  );
  const guides = titles.filter(({ name }) => !name.includes('/'));
  return `<ul>${guides.map((one) => item(one, one.name === guide ? lists.join('') : '')).join('')}</ul>`;
}

function contentsOf(headings: readonly Heading[], words: Words): string {
  const shown = headings.filter(({ depth }) => depth === 2 || depth === 3);
  if (shown.length < 2) return '';
  const items = shown.map(
    ({ depth, anchor, title }) =>
      `<li><a href="#${anchor}"${depth === 3 ? ' class="deep"' : ''}>${title.replace(/<\/?a\b[^>]*>/g, '')}</a></li>`,
  );
  return `<ul><li><strong>${words.onThisPage}</strong></li>${items.join('')}</ul>`;
}

/** On narrow screens both lists open on a click. */
function opening(contents: string, { allPages, onThisPage }: Words): string {
  const second = contents === '' ? '' : `<button type="button" popovertarget="contents">${onThisPage}</button>`;
  return `<div class="open-side"><button type="button" popovertarget="pages">${allPages}</button>${second}</div>`;
}

/** The pages before and after this one in its guide. */
function around(titles: readonly ReadGuide[], name: string, words: Words): string {
  const [guide] = name.split('/');
  const pages = titles.filter((one) => one.name.split('/')[0] === guide);
  const at = pages.findIndex((one) => one.name === name);
  const link = (page: ReadGuide | undefined, rel: string, label: string) =>
    page ? `<a href="${page.address}" rel="${rel}"><small>${label}</small>${page.title}</a>` : '';
  const links = link(pages[at - 1], 'prev', words.before) + link(pages[at + 1], 'next', words.next);
  return links && `<nav class="around" aria-label="${words.before}, ${words.next.toLowerCase()}">${links}</nav>`;
}
