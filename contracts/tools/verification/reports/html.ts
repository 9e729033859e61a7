import { jsonOr } from '../../../json.ts';
import type { InteractionResult, Outcome, Problem, Verification } from '../result.ts';
import { curlOf } from './curl.ts';
import { type Content, foreign, htmlPage, Markup, markup, term } from './html-markup.ts';
import { hiding, style } from './html-style.ts';
import { count, duration, shorten } from './plain.ts';
import { marks, nextStep, placeOf, shownProblems, statesText, summaryLine, tally, targetOf } from './summary.ts';

/** Characters of a value or a body. */
const charactersShown = 8000;
const nameCharacters = 500;
/** Size of all details in characters. Browsers open a page of this size within seconds. */
const detailsShown = 20_000_000;
/** Failures whose details are open when the page is. */
const openAtFirst = 20;
/** Values of a filter. More would be a list that nobody reads. */
const filterValues = 200;

const outcomes: readonly Outcome[] = ['failed', 'pending', 'verified'];
const headings: Readonly<Record<Outcome, string>> = { failed: 'Failed', pending: 'Pending', verified: 'Verified' };

/** The values of a filter, in the order of their first appearance: each has its place as its number. */
const valuesOf = (all: readonly InteractionResult[], of: (one: InteractionResult) => readonly string[]): string[] =>
  [...new Set(all.flatMap(of))].slice(0, filterValues);

interface Filter {
  id: string;
  label: string;
  values: readonly string[];
  of(one: InteractionResult): readonly string[];
}

/** Returns the filters that can leave something out. */
function filtersFor(all: readonly InteractionResult[]): Filter[] {
  const filter = (id: string, label: string, of: Filter['of']) => ({ id, label, of, values: valuesOf(all, of) });
  return [
    filter('outcome', 'Result', ({ outcome }) => [outcome]),
    filter('consumer', 'Consumer', ({ consumer }) => [consumer]),
    filter('state', 'Given the state', ({ states }) => states.map(({ name }) => name)),
  ].filter(({ values, of }) => all.some((one) => values.some((value) => !of(one).includes(value))));
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

/** Attributes by which filters find an interaction: the numbers of its values. */
const filterAttributes = (filters: readonly Filter[], one: InteractionResult): Content =>
  filters.map(({ id, of, values }) => {
    const places = of(one).map((value) => values.indexOf(value));
    return markup` data-${id}="${places.join(' ')}"`;
  });

/** Marks what differs between two texts, between what they have in common at the start and at the end. */
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

function sides({ expected, actual }: Problem): Content {
  if (expected === undefined && actual === undefined) return '';
  const [left, right] = [expected, actual].map((value) => (value === undefined ? undefined : shownText(value)));
  const side = (label: string, own: string | undefined, other: string | undefined) =>
    markup`<div><strong>${label}</strong><pre>${own === undefined ? '(nothing)' : differing(own, other ?? '')}</pre></div>`;
  return markup`<div class="sides">${side('expected', left, right)}${side('actual', right, left)}</div>
`;
}

function problemOf(problem: Problem): Markup {
  const { message, documented, gap } = problem;
  return markup`<section class="problem"><h3>${foreign(shorten(placeOf(problem), nameCharacters))}</h3>
<p>${foreign(shorten(message, charactersShown))}</p>
${sides(problem)}${
  documented || gap
    ? markup`<dl>${documented ? term('document', markup`${documented.document}, ${documented.section}: ${foreign(documented.says)}`) : ''}${
        gap ? term('gap', markup`<code>${gap.id}</code>: ${gap.question} Chosen: ${gap.choice}`) : ''
      }</dl>
`
    : ''
}</section>
`;
}

const headerLines = (headers: Record<string, unknown>) =>
  Object.entries(headers).map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);

function exchangeOf({ exchange = {} }: InteractionResult, target: Verification['target']): Content {
  const { request, reply, message } = exchange;
  const block = (label: string, lines: readonly string[], body = '') =>
    term(
      label,
      markup`<pre>${shorten([...lines, ...(body === '' ? [] : ['', shownText(body)])].join('\n'), 2 * charactersShown)}</pre>`,
    );
  if (!request && !reply && !message) return '';
  return markup`<dl>${request ? block('request', [curlOf(request, target)]) : ''}${
    reply ? block('reply', [`HTTP ${reply.status}`, ...headerLines(reply.headers)], reply.body) : ''
  }${message ? block('message', headerLines(message.metadata), message.body) : ''}</dl>
`;
}

/** Formats interactions until the details have reached their bound; beyond, only their rows. */
class Rows {
  readonly #filters: readonly Filter[];
  #left = detailsShown;
  #toOpen = openAtFirst;
  /** Interactions whose details are left out. */
  shortened = 0;

  constructor(filters: readonly Filter[]) {
    this.#filters = filters;
  }

  row(one: InteractionResult, target: Verification['target']): Markup {
    const attributes = filterAttributes(this.#filters, one);
    return markup`<li class="is-${one.outcome}"${attributes}>${this.#content(one, target)}</li>
`;
  }

  #content(one: InteractionResult, target: Verification['target']): Markup {
    const head = headOf(one);
    const inside = this.#left > 0 ? detailsOf(one, target) : new Markup('');
    if (this.#left <= 0) this.shortened += 1;
    this.#left -= inside.text.length;
    if (inside.text === '') return markup`<div class="row">${head}</div>`;
    const isOpen = one.outcome === 'failed' && this.#toOpen-- > 0;
    return markup`<details${isOpen ? ' open' : ''}><summary>${head}</summary>
<div class="details">${inside}</div></details>`;
  }
}

function headOf(one: InteractionResult): Markup {
  const given = statesText(one);
  const about = [markup`${foreign(one.consumer)} with ${foreign(one.provider)}`, foreign(one.source), duration(one.durationMs)];
  return markup`<span class="${one.outcome}">${marks[one.outcome]} <span class="quiet">${one.couldNotRun ? 'not verified' : one.outcome}</span></span> ${foreign(
    shorten(one.description, nameCharacters),
  )}<br><span class="about">${about.map((part, at) => [at === 0 ? '' : ' · ', part])}${
    given === '' ? '' : markup` · given ${foreign(given)}`
  }</span>`;
}

function detailsOf(one: InteractionResult, target: Verification['target']): Markup {
  const { shown, others } = shownProblems(one);
  return markup`${shown.map(problemOf)}${others.map(
    (line) => markup`<p class="quiet">${line}</p>
`,
  )}${exchangeOf(one, target)}`;
}

const listed = (lines: readonly string[], label = ''): Markup[] =>
  lines.map(
    (line) => markup`<li>${label}${foreign(shorten(line, charactersShown))}</li>
`,
  );

function runOf(verification: Verification): Markup {
  const { provider, notices, unfinished, startedAt } = verification;
  const notes = [listed(unfinished, 'Not done: '), listed(notices)].flat();
  return markup`<section><h2>${provider} at ${foreign(targetOf(verification))}</h2>
<p>${summaryLine(verification)}. Started at ${startedAt}.</p>
${
  notes.length > 0
    ? markup`<ul>${notes}</ul>
`
    : ''
}<p><strong>Next:</strong> ${nextStep(verification).replaceAll('`', '')}</p>
</section>
`;
}

/** All interactions with this outcome, whatever their provider: who opens the page looks for failures. */
function groupOf(outcome: Outcome, verifications: readonly Verification[], rows: Rows): Content {
  const found = verifications.flatMap(({ interactions, target }) =>
    interactions.filter((one) => one.outcome === outcome).map((one) => ({ one, target })),
  );
  if (found.length === 0) return '';
  return markup`<section><h2>${headings[outcome]} (${found.length})</h2>
<ol class="interactions">
${found.map(({ one, target }) => rows.row(one, target))}</ol>
</section>
`;
}

/** Formats verifications as one HTML page. Filters are selectors of its style. */
export function htmlReport(verifications: readonly Verification[]): string {
  const all = verifications.flatMap(({ interactions }) => interactions);
  const filters = filtersFor(all);
  const rows = new Rows(filters);
  const groups = outcomes.map((outcome) => groupOf(outcome, verifications, rows));
  const rules = filters.flatMap(({ id, values }) => values.map((_, at) => hiding(id, id, at)));
  const css = `${style}${rules.join('')}`;
  const totals = tally(all);
  const worst = outcomes.find((outcome) => totals[outcome] > 0) ?? 'verified';
  const notDone = verifications.flatMap(({ unfinished }) => unfinished).length;
  const title = `${notDone > 0 ? marks.failed : marks[worst]} ${count(all.length, 'interaction')}: passerelle verify`;
  const main = markup`<h1>Verification of pacts</h1>
<ul class="totals">
${outcomes.map(
  (outcome) => markup`<li class="${outcome}"><strong>${marks[outcome]} ${totals[outcome]}</strong> ${outcome}</li>
`,
)}${
  notDone > 0
    ? markup`<li class="failed"><strong>${marks.failed} ${notDone}</strong> not done</li>
`
    : ''
}</ul>
${verifications.map(runOf)}${filterForm(filters)}${groups}${
  rows.shortened > 0
    ? markup`<p>${count(rows.shortened, 'interaction')} without details, because the page would be too large: the JSON report has them.</p>
`
    : ''
}${
  usesBaseUrl(verifications)
    ? markup`<p class="quiet">In the commands, <code>$BASE_URL</code> is the address of an API, such as that of <code>passerelle stub</code>. Secrets are removed.</p>
`
    : ''
}`;
  return htmlPage(title, css, main);
}

const usesBaseUrl = (verifications: readonly Verification[]) =>
  verifications.some(
    ({ target, interactions }) => target.kind === 'reference' && interactions.some(({ exchange }) => exchange?.request),
  );
