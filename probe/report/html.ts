import {
  type Content,
  foreign,
  htmlPage,
  type Markup,
  markup,
  term,
} from '../../contracts/tools/verification/reports/html-markup.ts';
import { style } from '../../contracts/tools/verification/reports/html-style.ts';
import { shorten } from '../../contracts/tools/verification/reports/plain.ts';
import type { Candidate, Dependency, Difference, ProbeReport, Shown } from '../types.ts';
import {
  failureLines,
  listTitles,
  markOf,
  nextStep,
  otherLists,
  pairsText,
  passedUnder,
  registerLines,
  shownText,
  standingText,
  summaryLine,
  titleOf,
  unaccepted,
} from './parts.ts';

const charactersShown = 8000;

const side = (label: string, own: Shown | undefined, other: Shown | undefined): Content =>
  own ? markup`<div><strong>${label}</strong><pre>${shorten(shownText(own, other, '\n'), charactersShown)}</pre></div>` : '';

const differenceOf = ({ where, before, after }: Difference): Markup => markup`<dl>${term('differs', foreign(where))}</dl>
<div class="sides">${side('our choice', before, after)}${side('alternative', after, before)}</div>
`;

const alternativeOf = (
  one: Dependency['alternatives'][number],
): Markup => markup`<section class="problem"><h3>${one.question}</h3>
<dl>${registerLines(one).map(([label, text]) => term(label, text))}</dl>
${one.differences.map(differenceOf)}<p><strong>Instead:</strong> ${foreign(one.advice)}</p>
</section>
`;

function dependencyOf(one: Dependency): Markup {
  const mark = markOf(one);
  const outcome = mark === '✗' ? 'failed' : 'pending';
  return markup`<li class="is-${outcome}"><details${outcome === 'failed' ? ' open' : ''}><summary><span class="${outcome}">${mark}</span> <code>${titleOf(one)}</code><br><span class="about">${foreign(standingText(one))}</span></summary>
<div class="details">${one.alternatives.map(alternativeOf)}<h3>Fails</h3>
<pre>${shorten(failureLines(one).join('\n'), charactersShown)}</pre></div></details></li>
`;
}

const dependenciesOf = (title: string, found: readonly Dependency[]): Content =>
  found.length === 0
    ? ''
    : markup`<section><h2>${title} (${found.length})</h2>
<ol class="interactions">
${found.map(dependencyOf)}</ol></section>
`;

const listOf = ([title, items]: readonly [title: string, items: readonly Content[]]): Content =>
  items.length === 0
    ? ''
    : markup`<section><h2>${title} (${items.length})</h2>
<ul>${items.map(
        (item) => markup`<li>${item}</li>
`,
      )}</ul></section>
`;

const candidateOf = ({ id, text }: Candidate): Content => markup`<code>${id}</code>: ${text}`;

/** Formats a probe as one HTML page. */
export function htmlReport(report: ProbeReport): string {
  const { dependencies, questions, exercised, notExercised, notes, seed, command, apis } = report;
  const open = unaccepted(dependencies).length;
  const found =
    open > 0 ? `✗ ${open} ${open === 1 ? 'dependency' : 'dependencies'}` : report.stopped ? 'stopped' : '✓ no new dependency';
  const lists: [string, Content[]][] = [
    ...otherLists(report).map(([title, items]): [string, Content[]] => [title, items.map(foreign)]),
    ['Exercised without a failure', passedUnder(report).map(candidateOf)],
    ['Not exercised', notExercised.map(candidateOf)],
  ];
  const main = markup`<h1>Probe with ${apis.join(' and ')}</h1>
<p><code>${foreign(command)}</code></p>
<ul class="totals">
<li class="${open > 0 ? 'failed' : 'verified'}"><strong>${open}</strong> not accepted</li>
<li class="pending"><strong>${dependencies.length - open}</strong> accepted</li>
<li class="pending"><strong>${unaccepted(questions).length}</strong> for the owner</li>
<li class="verified"><strong>${exercised.length}</strong> exercised</li>
<li><strong>${notExercised.length}</strong> not exercised</li>
</ul>
<p>${summaryLine(report)}</p>
<p>${foreign(pairsText(report))}</p>
<p>${foreign(nextStep(report))}</p>
${dependenciesOf(listTitles.dependencies, dependencies)}${dependenciesOf(listTitles.questions, questions)}${lists.map(listOf)}${notes.map(
  (note) => markup`<p class="quiet">${foreign(note)}</p>
`,
)}<p class="quiet">Seed: ${foreign(seed)}. Secrets are removed.</p>
`;
  return htmlPage(`${found}: passerelle probe`, style, main);
}
