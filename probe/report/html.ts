import { hash } from 'node:crypto';
import { type Content, foreign, Markup, markup } from '../../contracts/tools/verification/reports/html-markup.ts';
import { style } from '../../contracts/tools/verification/reports/html-style.ts';
import { shorten } from '../../contracts/tools/verification/reports/plain.ts';
import type { Candidate, Dependency, Difference, ProbeReport, Shown } from '../types.ts';
import {
  documentWords,
  failureLines,
  listTitles,
  markOf,
  nextStep,
  pairsText,
  passedUnder,
  shownText,
  standingText,
  summaryLine,
  titleOf,
  unaccepted,
} from './parts.ts';

const charactersShown = 8000;

const term = (label: string, content: Content): Markup => markup`<dt>${label}</dt><dd>${content}</dd>
`;

const side = (label: string, own: Shown | undefined, other: Shown | undefined): Content =>
  own ? markup`<div><strong>${label}</strong><pre>${shorten(shownText(own, other, '\n'), charactersShown)}</pre></div>` : '';

const differenceOf = ({ where, before, after }: Difference): Markup => markup`<dl>${term('differs', foreign(where))}</dl>
<div class="sides">${side('our choice', before, after)}${side('alternative', after, before)}</div>
`;

function alternativeOf(one: Dependency['alternatives'][number]): Markup {
  return markup`<section class="problem"><h3>${one.question}</h3>
<dl>${term('document', documentWords(one))}${term('our choice', one.choice)}${term('alternative', one.text)}</dl>
${one.differences.map(differenceOf)}<p><strong>Instead:</strong> ${foreign(one.advice)}</p>
</section>
`;
}

function dependencyOf(one: Dependency): Markup {
  const failure = failureLines(one);
  const mark = markOf(one);
  const outcome = mark === '✗' ? 'failed' : 'pending';
  return markup`<li class="is-${outcome}"><details${outcome === 'failed' ? ' open' : ''}><summary><span class="${outcome}">${mark}</span> <code>${titleOf(one)}</code><br><span class="about">${foreign(standingText(one))}</span></summary>
<div class="details">${one.alternatives.map(alternativeOf)}<h3>Fails</h3>
<pre>${shorten(failure.lines.join('\n'), charactersShown)}</pre></div></details></li>
`;
}

const dependenciesOf = (title: string, found: readonly Dependency[]): Content =>
  found.length === 0
    ? ''
    : markup`<section><h2>${title} (${found.length})</h2>
<ol class="interactions">
${found.map(dependencyOf)}</ol></section>
`;

const listOf = (title: string, items: readonly Content[]): Content =>
  items.length === 0
    ? ''
    : markup`<section><h2>${title} (${items.length})</h2>
<ul>${items.map(
        (item) => markup`<li>${item}</li>
`,
      )}</ul></section>
`;

const candidateOf = ({ id, text }: Candidate): Content => markup`<code>${id}</code>: ${text}`;

/** Formats a probe as one HTML page without scripts and without anything to load. Its policy forbids both. */
export function htmlReport(report: ProbeReport): string {
  const { dependencies, questions, exercised, notExercised, notReproducible, noLongerNeeded, notes, seed, command, apis } =
    report;
  const open = unaccepted(dependencies).length;
  const policy = `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action 'none'`;
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${open > 0 ? `✗ ${open} ${open === 1 ? 'dependency' : 'dependencies'}` : report.stopped ? 'stopped' : '✓ no new dependency'}: passerelle probe</title>
<style>${new Markup(style)}</style>
</head>
<body>
<main>
<h1>Probe with ${apis.join(' and ')}</h1>
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
${dependenciesOf(listTitles.dependencies, dependencies)}${dependenciesOf(listTitles.questions, questions)}${listOf(
  'Not reproducible',
  notReproducible.map(
    ({ alternatives, failedTests }) => markup`<code>${alternatives.join(', ')}</code> ${foreign(failedTests.join(', '))}`,
  ),
)}${listOf(
  'No longer needed in passerelle.assumptions.json',
  noLongerNeeded.map(({ gap, reason, expiry }) => markup`<code>${gap}</code> until ${expiry}: ${foreign(reason)}`),
)}${listOf('Exercised without a failure', passedUnder(report).map(candidateOf))}${listOf(
  'Not exercised',
  notExercised.map(candidateOf),
)}${notes.map(
  (note) => markup`<p class="quiet">${foreign(note)}</p>
`,
)}<p class="quiet">Seed: ${foreign(seed)}. Secrets are removed.</p>
</main>
</body>
</html>
`;
  return page.text;
}
