import { jsonOr } from '../../json.ts';
import { type Content, foreign, htmlPage, Markup, markup, term } from './html-markup.ts';
import { hiding, style } from './html-style.ts';
import {
  type Finding,
  findingsOf,
  type Group,
  hasFailed,
  type Labelled,
  marks,
  type Outcome,
  type Part,
  type Report,
  wordOf,
  worstFirst,
} from './model.ts';
import { count, duration, shorten } from './plain.ts';

/** Characters of a value or a body. */
const charactersShown = 8000;
const nameCharacters = 500;
/** Size of all details in characters. Browsers open a page of this size within seconds. */
const detailsShown = 20_000_000;
/** Failures whose details are open when the page is. */
const openAtFirst = 20;
/** Values of a filter. Nobody would read a longer list. */
const filterValues = 200;

interface Filter {
  id: string;
  label: string;
  values: readonly string[];
  of(one: Finding): readonly string[];
}

/** Returns the filters that can leave something out. */
function filtersFor(all: readonly Finding[]): Filter[] {
  const labels = [...new Set(all.flatMap(({ filters = {} }) => Object.keys(filters)))];
  const result = { label: 'Result', of: (one: Finding) => [wordOf(one)] };
  const others = labels.map((label) => ({ label, of: ({ filters = {} }: Finding) => filters[label] ?? [] }));
  return [result, ...others]
    .map(({ label, of }) => {
      const values = [...new Set(all.flatMap(of))].slice(0, filterValues);
      return { id: label.toLowerCase().replaceAll(' ', '-'), label, of, values };
    })
    .filter(({ values, of }) => all.some((one) => values.some((value) => !of(one).includes(value))));
}

function filterForm(filters: readonly Filter[]): Content {
  if (filters.length === 0) return '';
  const select = ({ id, label, values }: Filter) => markup`<label>${label}
<select id="${id}" autocomplete="off"><option value="all" selected>all</option>${values.map(
    (value, at) => markup`<option value="${at}">${shorten(value, 100)}</option>`,
  )}</select></label>
`;
  return markup`<div class="filters" role="group" aria-label="Filter">
${filters.map(select)}</div>
`;
}

/** Attributes by which filters find a finding: the numbers of its values. */
const filterAttributes = (filters: readonly Filter[], one: Finding): Content =>
  filters.map(({ id, of, values }) => {
    const places = of(one).map((value) => values.indexOf(value));
    return markup` data-${id}="${places.join(' ')}"`;
  });

/** Marks the part of a text that differs from the other text, between their common beginning and their common end. */
function differing(text: string, other: string): Markup {
  const most = Math.min(text.length, other.length);
  let start = 0;
  while (start < most && text[start] === other[start]) start++;
  // Half of a surrogate pair is no character.
  if (/[\ud800-\udbff]/.test(text.charAt(start - 1))) start--;
  let end = 0;
  while (end < most - start && text.at(-1 - end) === other.at(-1 - end)) end++;
  if (/[\udc00-\udfff]/.test(text.charAt(text.length - end))) end--;
  const after = text.length - end;
  return markup`${text.slice(0, start)}<mark>${text.slice(start, after)}</mark>${text.slice(after)}`;
}

/** Indents JSON; returns other text unchanged. */
function laidOut(text: string): string {
  const value = jsonOr(text, undefined);
  return typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : text;
}

const shownText = (text: string) => shorten(laidOut(text), charactersShown);

function sidesOf([one, other]: NonNullable<Part['sides']>): Content {
  if (!one || !other) return '';
  const [left, right] = [one, other].map(([, text]) => (text === undefined ? undefined : shownText(text)));
  const side = (label: string, own: string | undefined, beside: string | undefined) =>
    markup`<div><strong>${label}</strong><pre>${own === undefined ? '(nothing)' : differing(own, beside ?? '')}</pre></div>`;
  return markup`<div class="sides">${side(one[0], left, right)}${side(other[0], right, left)}</div>
`;
}

const paragraph = (text: string | undefined): Content =>
  text === undefined
    ? ''
    : markup`<p>${foreign(shorten(text, charactersShown))}</p>
`;

/** Labelled texts. A text of several lines keeps its lines. */
function labelled(lines: readonly Labelled[]): Content {
  if (lines.length === 0) return '';
  const one = ([label, text]: Labelled) => {
    const shown = shorten(text, 2 * charactersShown);
    return term(label, text.includes('\n') ? markup`<pre>${shown}</pre>` : foreign(shown));
  };
  return markup`<dl>${lines.map(one)}</dl>
`;
}

const partOf = ({ title, text, sides = [], lines = [] }: Part): Markup =>
  markup`<section class="problem"><h3>${foreign(shorten(title, nameCharacters))}</h3>
${paragraph(text)}${sidesOf(sides)}${labelled(lines)}</section>
`;

const detailsOf = ({ text, parts = [], lines = [], blocks = lines }: Finding): Markup =>
  markup`${paragraph(text)}${parts.map(partOf)}${labelled(blocks)}`;

function headOf(one: Finding): Markup {
  const { outcome, title, about, durationMs } = one;
  const facts = [about, durationMs === undefined ? undefined : duration(durationMs)].filter((fact) => fact !== undefined);
  return markup`<span class="${outcome}">${marks[outcome]} <span class="quiet">${wordOf(one)}</span></span> ${foreign(
    shorten(title, nameCharacters),
  )}<br><span class="about">${facts.map((fact, at) => [at === 0 ? '' : ' · ', foreign(fact)])}</span>`;
}

/** Formats findings until the details have reached their bound; beyond, only their rows. */
class Rows {
  readonly #filters: readonly Filter[];
  #left = detailsShown;
  #toOpen = openAtFirst;
  /** Findings whose details are left out. */
  shortened = 0;

  constructor(filters: readonly Filter[]) {
    this.#filters = filters;
  }

  row(one: Finding): Markup {
    return markup`<li class="is-${one.outcome}"${filterAttributes(this.#filters, one)}>${this.#content(one)}</li>
`;
  }

  #content(one: Finding): Markup {
    const head = headOf(one);
    const inside = this.#left > 0 ? detailsOf(one) : new Markup('');
    if (this.#left <= 0) this.shortened += 1;
    this.#left -= inside.text.length;
    if (inside.text === '') return markup`<div class="row">${head}</div>`;
    const isOpen = hasFailed(one) && this.#toOpen-- > 0;
    return markup`<details${isOpen ? ' open' : ''}><summary>${head}</summary>
<div class="details">${inside}</div></details>`;
  }
}

const listOf = (items: readonly string[]): Content =>
  items.length === 0
    ? ''
    : markup`<ul>${items.map(
        (item) => markup`<li>${foreign(shorten(item, charactersShown))}</li>
`,
      )}</ul>
`;

function runOf({ title, subject, summary, startedAt, notes = [], unfinished = [], next }: Report): Markup {
  return markup`<section><h2>${title}${subject === undefined ? '' : [' ', foreign(subject)]}</h2>
<p>${summary}${startedAt === undefined ? '' : `. Started at ${startedAt}.`}</p>
${listOf([...unfinished.map((line) => `Not done: ${line}`), ...notes])}${
  next === undefined
    ? ''
    : markup`<p><strong>Next:</strong> ${next.replaceAll('`', '')}</p>
`
}</section>
`;
}

const section = (title: string, number: number, content: Content): Content =>
  number === 0
    ? ''
    : markup`<section><h2>${title} (${number})</h2>
${content}</section>
`;

/** Counts what was found by its words, the worst first. */
function totalsOf(findings: readonly Finding[]): { outcome: Outcome; number: number; word: string }[] {
  const byWord = [...Map.groupBy(findings, wordOf)].flatMap(([word, [first, ...others]]) =>
    first ? [{ outcome: first.outcome, number: 1 + others.length, word }] : [],
  );
  return byWord.sort((one, other) => worstFirst.indexOf(one.outcome) - worstFirst.indexOf(other.outcome));
}

/** Formats reports of a tool as one HTML page, with all findings in these groups. Filters are selectors of its style. */
export function htmlReport(reports: readonly Report[], groups: readonly Group[] = reports.flatMap((one) => one.groups)): string {
  const filters = filtersFor(findingsOf({ groups }));
  const rows = new Rows(filters);
  const found = groups.map(({ title, findings }) =>
    section(
      title,
      findings.length,
      markup`<ol class="findings">
${findings.map((one) => rows.row(one))}</ol>
`,
    ),
  );
  const css = `${style}${filters.flatMap(({ id, values }) => values.map((_, at) => hiding(id, at))).join('')}`;
  const notDone = reports.flatMap(({ unfinished = [] }) => unfinished);
  const totals = totalsOf([
    ...findingsOf({ groups }),
    ...notDone.map((title): Finding => ({ outcome: 'error', word: 'not done', title })),
  ]);
  const name = `passerelle ${reports[0]?.tool ?? ''}`;
  const main = markup`<h1>${name}</h1>
<ul class="totals">
${totals.map(
  ({ outcome, number, word }) => markup`<li class="${outcome}"><strong>${marks[outcome]} ${number}</strong> ${word}</li>
`,
)}</ul>
${reports.map(runOf)}${filterForm(filters)}${found}${reports.map(({ lists = [] }) =>
  lists.map(({ title, items }) => section(title, items.length, listOf(items))),
)}${
  rows.shortened > 0
    ? markup`<p>${count(rows.shortened, 'finding')} without details, because the page would be too large: the JSON report has them.</p>
`
    : ''
}<p class="quiet">${[...new Set(reports.flatMap(({ footnote }) => footnote ?? []))].map((text) => `${text} `)}Secrets are removed.</p>
`;
  return htmlPage(
    `${marks[totals[0]?.outcome ?? 'passed']} ${totals.map(({ number, word }) => `${number} ${word}`).join(', ')}: ${name}`,
    css,
    main,
  );
}
