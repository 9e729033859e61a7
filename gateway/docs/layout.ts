import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyReply } from 'fastify';
import { escapeHtml } from './escape.ts';
import type { Language } from './guides/files.ts';
import { addressIn } from './guides/read.ts';
import { type Words, wordsOf } from './guides/words.ts';
import { css } from './style.ts';

const script = readFileSync(new URL('./page.js', import.meta.url), 'utf8');

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The Content-Security-Policy of a page: its own style sheet and script, and images and searches on this server. */
export const textPolicy = [
  `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(css)}`,
  "connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
].join('; ');

/** The pages at /docs, which link to each other. */
export const pages = [
  { path: '/docs', title: 'API reference' },
  { path: '/docs/guides', title: 'Guides' },
  { path: '/docs/gaps', title: 'Gap register' },
] as const;

export interface TextPage {
  title: string;
  /** The path of the entry in `pages` that it belongs to. */
  path: (typeof pages)[number]['path'];
  /** Trusted HTML. */
  main: string;
  /** The reader's language; English by default. */
  language?: Language;
  /** The language of `main`, if it is not the reader's. */
  written?: Language;
  /** The address of the same page in each language, if there is more than one. */
  translations?: Readonly<Record<Language, string>>;
  /** Trusted HTML: the lists to the left and the right of `main`. */
  sides?: { pages: string; contents: string };
}

/** Sends what `textPage` returns. */
export const sendTextPage = (reply: FastifyReply, page: string): FastifyReply =>
  reply.type('text/html; charset=utf-8').header('content-security-policy', textPolicy).send(page);

const languageNames: Readonly<Record<Language, string>> = { en: 'English', fr: 'Français' };

/** One HTML page. It works without its script, which offers themes, a search without a new page, and copies. */
export function textPage({ title, path, main, language = 'en', written = language, translations, sides }: TextPage): string {
  const words = wordsOf[language];
  const links = pages.map((page) => {
    const address = page.path === '/docs/guides' ? addressIn(language) : page.path;
    return `<a href="${address}"${page.path === path ? ' aria-current="page"' : ''}>${words.pages[page.path] ?? page.title}</a>`;
  });
  const otherLanguages = Object.entries(translations ?? {}).filter(([other]) => other !== language) as [Language, string][];
  const switches = otherLanguages.map(
    ([other, address]) => `<a href="${address}" lang="${other}" hreflang="${other}">${languageNames[other]}</a>`,
  );
  const middle = `<main id="main"${written === language ? '' : ` lang="${written}"`}>${main}
</main>`;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${escapeHtml(title)} - Passerelle</title>
<style>${css}</style>
<script>${script}</script>
</head>
<body data-copy="${words.copy}" data-copied="${words.copied}" data-no-answer="${words.noAnswer}">
<a class="skip" href="#main">${words.skip}</a>
<header class="site">
<nav aria-label="${words.documentation}">${links.join('\n')}</nav>
<div><a class="search" href="${addressIn(language, 'search')}">${words.search} <kbd>/</kbd></a>${switches.join('\n')}${themeSelect(words)}</div>
</header>
${sides ? `<div class="columns">${sideOf('pages', words.allPages, sides.pages, words)}${middle}${sideOf('contents', words.onThisPage, sides.contents, words)}</div>` : middle}
<dialog aria-label="${words.searchGuides}">${searchForm(language, '')}<div class="results"></div></dialog>
</body>
</html>
`;
}

const sideOf = (id: string, label: string, list: string, { close }: Words) =>
  list === ''
    ? '<div></div>'
    : `<nav class="side" id="${id}" popover aria-label="${label}"><button type="button" class="close" popovertarget="${id}">${close}</button>${list}</nav>`;

export const searchForm = (language: Language, query: string) => `<form role="search" action="${addressIn(language, 'search')}">
<input type="text" enterkeyhint="search" name="q" value="${escapeHtml(query)}" aria-label="${wordsOf[language].searchGuides}" placeholder="${wordsOf[language].searchGuides}" maxlength="100" autocomplete="off">
<button>${wordsOf[language].search}</button>
</form>`;

function themeSelect({ theme, themes }: Words): string {
  const options = Object.entries(themes).map(([name, title]) => `<option value="${name}">${title}</option>`);
  return `<select id="theme" aria-label="${theme}" hidden>${options.join('')}</select>`;
}
