import { type ServiceName, serviceNames, services } from '../../spec/documents/services.ts';
import type { Gap } from '../../spec/gaps/gap.ts';
import { escapeHtml } from './escape.ts';
import { textPage } from './layout.ts';

/** The gap register as one page, by API and section. Each entry's anchor is its id: `/docs/gaps#pos.currency`. */
export function gapsPage(gaps: readonly Gap[]): string {
  const main = `
<h1>The gap register</h1>
<p>What the documents of the two APIs leave open, and what Passerelle does. ${escapeHtml(summaryOf(gaps))}
An <em>assumed</em> choice can still change: its alternatives say what to be ready for. A stub plays them
(<code>stub --assume GAP=ALTERNATIVE</code>), except for those that say why not.</p>
<nav aria-label="Sections"><ul>${serviceNames.map((api) => contents(api, gaps)).join('')}</ul></nav>
${serviceNames.map((api) => chapter(api, gaps)).join('')}`;
  return textPage({ title: 'The gap register', path: '/docs/gaps', main });
}

function summaryOf(gaps: readonly Gap[]): string {
  const counts = (['assumed', 'confirmed', 'refuted'] as const).map(
    (status) => `${gaps.filter((gap) => gap.status === status).length} ${status}`,
  );
  return `${gaps.length} entries: ${counts.join(', ')}.`;
}

/** The entries of one API by section. Sections are in the order of their numbers, entries in the register's order. */
function sectionsOf(api: ServiceName, gaps: readonly Gap[]): [string, Gap[]][] {
  const sections = Map.groupBy(
    gaps.filter((gap) => gap.api === api),
    (gap) => gap.section,
  );
  return [...sections].sort(([a], [b]) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
}

const anchorOf = (api: ServiceName, section: string) => `${api}-${Number.parseInt(section, 10)}`;

function contents(api: ServiceName, gaps: readonly Gap[]): string {
  const links = sectionsOf(api, gaps).map(
    ([section, entries]) => `<li><a href="#${anchorOf(api, section)}">${escapeHtml(section)}</a> (${entries.length})</li>`,
  );
  return `<li><a href="#${api}">${services[api].title}</a><ul>${links.join('')}</ul></li>`;
}

function chapter(api: ServiceName, gaps: readonly Gap[]): string {
  const sections = sectionsOf(api, gaps).map(
    ([section, entries]) => `
<section aria-labelledby="${anchorOf(api, section)}">
<h3 id="${anchorOf(api, section)}">${escapeHtml(section)}</h3>${entries.map(article).join('')}
</section>`,
  );
  return `
<h2 id="${api}">${services[api].title}</h2>${sections.join('')}`;
}

function article(gap: Gap): string {
  const id = escapeHtml(gap.id);
  const alternatives = gap.alternatives
    .map((one) => {
      const note = one.notPlayed === undefined ? '' : ` <em>(No stub plays it. ${escapeHtml(one.notPlayed)})</em>`;
      return `<li><code>${escapeHtml(one.id)}</code>: ${escapeHtml(one.text)}${note}</li>`;
    })
    .join('');
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
