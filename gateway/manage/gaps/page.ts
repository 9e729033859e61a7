import { createHash } from 'node:crypto';
import type { Gap } from '../../../contracts/register/gap.ts';

const titles = { pos: 'Point of Sale', cohesion: 'Social Cohesion' } as const;
const apis = ['pos', 'cohesion'] as const;

/** Colours have a contrast of at least 4.5 to 1 in both schemes (WCAG 2.2, 1.4.3). */
const css = `
:root { color-scheme: light dark; --back: #fff; --text: #1d2330; --quiet: #565e6d; --line: #d5dae2; --card: #f6f7f9; --link: #0b57a4; --mark: #fff3c4; }
@media (prefers-color-scheme: dark) { :root { --back: #14171d; --text: #e4e7ec; --quiet: #a4adbb; --line: #333a46; --card: #1c2129; --link: #85b9f5; --mark: #3d3413; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem 1rem 4rem; max-width: 52rem; background: var(--back); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
a { color: var(--link); }
a:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { position: static; }
h1 { line-height: 1.2; }
h2 { margin: 3rem 0 0; border-bottom: 2px solid var(--line); }
h3 { margin: 2rem 0 0.75rem; }
nav ul, dd ul { margin: 0; padding-left: 1.25rem; }
article { margin: 0 0 1rem; padding: 0.75rem 1rem 1rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--card); scroll-margin-top: 1rem; }
article:target { background: var(--mark); }
h4 { margin: 0; font-size: 1.05rem; }
.id { margin: 0 0 0.5rem; color: var(--quiet); font-size: 0.85rem; }
dl { margin: 0; }
dt { margin-top: 0.5rem; color: var(--quiet); font-size: 0.85rem; }
dd { margin: 0; }
q { font-style: italic; }
@media (min-width: 40rem) { dl { display: grid; grid-template-columns: 7rem 1fr; gap: 0.4rem 1rem; } dt { margin-top: 0.15rem; } }
`;

/** The page's Content-Security-Policy: its one style sheet, by hash, and nothing else. */
export const gapsPagePolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(css).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/**
 * The gap register as one HTML page without scripts, by API and section; each entry's anchor is its id
 * (`/docs/gaps#pos.currency`). Serve it with `gapsPagePolicy`.
 */
export function gapsPage(gaps: readonly Gap[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Passerelle: the gap register</title>
<style>${css}</style>
</head>
<body>
<a class="skip" href="#register">Skip to the register</a>
<header>
<h1>The gap register</h1>
<p>What the documents of the two APIs leave open, and what Passerelle does. ${escapeHtml(summaryOf(gaps))}
An <em>assumed</em> choice may still turn out otherwise: its alternatives say what to be ready for.</p>
<nav aria-label="Sections"><ul>${apis.map((api) => contents(api, gaps)).join('')}</ul></nav>
</header>
<main id="register">${apis.map((api) => chapter(api, gaps)).join('')}
</main>
</body>
</html>
`;
}

/**
 * The register as Markdown, a short table for each API. Ids lead to the gateway's own page of it, or are mere text where
 * `page` is null.
 */
export function gapsMarkdown(gaps: readonly Gap[], page: string | null = '/docs/gaps'): string {
  const tables = apis.flatMap((api) => {
    const rows = gaps.filter((gap) => gap.api === api).map((gap) => `| ${cells(gap, page).join(' | ')} |`);
    if (rows.length === 0) return [];
    return [
      [
        `### Choices where the document is silent: ${titles[api]}`,
        '',
        '| Gap | Question | Choice | Status |',
        '| --- | --- | --- | --- |',
        ...rows,
      ].join('\n'),
    ];
  });
  return tables.join('\n\n');
}

const cells = ({ id, question, choice, status }: Gap, page: string | null) => [
  page === null ? `\`${id}\`` : `[${id}](${page}#${id})`,
  escapeMarkdown(question),
  escapeMarkdown(choice),
  status,
];

function summaryOf(gaps: readonly Gap[]): string {
  const counts = (['assumed', 'confirmed', 'refuted'] as const).map(
    (status) => `${gaps.filter((gap) => gap.status === status).length} ${status}`,
  );
  return `${gaps.length} entries: ${counts.join(', ')}.`;
}

/** Entries of one API by section, in the register's order of appearance, sections by their number. */
function sectionsOf(api: Gap['api'], gaps: readonly Gap[]): [string, Gap[]][] {
  const sections = Map.groupBy(
    gaps.filter((gap) => gap.api === api),
    (gap) => gap.section,
  );
  return [...sections].sort(([a], [b]) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
}

const anchorOf = (api: Gap['api'], section: string) => `${api}-${Number.parseInt(section, 10)}`;

function contents(api: Gap['api'], gaps: readonly Gap[]): string {
  const links = sectionsOf(api, gaps).map(
    ([section, entries]) => `<li><a href="#${anchorOf(api, section)}">${escapeHtml(section)}</a> (${entries.length})</li>`,
  );
  return `<li><a href="#${api}">${titles[api]}</a><ul>${links.join('')}</ul></li>`;
}

function chapter(api: Gap['api'], gaps: readonly Gap[]): string {
  const sections = sectionsOf(api, gaps).map(
    ([section, entries]) => `
<section aria-labelledby="${anchorOf(api, section)}">
<h3 id="${anchorOf(api, section)}">${escapeHtml(section)}</h3>${entries.map(article).join('')}
</section>`,
  );
  return `
<h2 id="${api}">${titles[api]}</h2>${sections.join('')}`;
}

function article(gap: Gap): string {
  const id = escapeHtml(gap.id);
  const alternatives = gap.alternatives.map((one) => `<li>${escapeHtml(one)}</li>`).join('');
  const says = gap.quote === '' ? 'Nothing.' : `<q>${escapeHtml(gap.quote)}</q>`;
  return `
<article id="${id}">
<h4>${escapeHtml(gap.question)}</h4>
<p class="id"><a href="#${id}">${id}</a></p>
<dl>
<dt>Choice</dt><dd><strong>${escapeHtml(gap.choice)}</strong></dd>
<dt>Why</dt><dd>${escapeHtml(gap.why)}</dd>
<dt>Alternatives</dt><dd><ul>${alternatives}</ul></dd>
<dt>Document</dt><dd>${says}</dd>
<dt>Status</dt><dd>${escapeHtml(gap.status)}</dd>
</dl>
</article>`;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] as string);
}

/** CommonMark takes any punctuation after a backslash as it is; a table's cell is one line. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>|~&#]/g, '\\$&').replace(/\s+/g, ' ');
}
