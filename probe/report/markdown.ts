import { code, inline } from '../../contracts/tools/verification/reports/markdown.ts';
import { shorten } from '../../contracts/tools/verification/reports/plain.ts';
import type { Dependency, ProbeReport } from '../types.ts';
import {
  differenceLines,
  documentWords,
  failureLines,
  listTitles,
  markOf,
  nextStep,
  notExercisedByGap,
  pairsText,
  standingText,
  summaryLine,
  titleOf,
} from './parts.ts';

const charactersShown = 600;
const linesShown = 20;
const differenceLabels = { differs: 'Differs', plain: 'Plain', otherwise: 'Otherwise' };

/** Formats a probe as Markdown for a CI page, such as `$GITHUB_STEP_SUMMARY`. */
export function markdownReport(report: ProbeReport): string {
  const notExercised = notExercisedByGap(report).map(([gap, alternatives]) => `- ${code(gap)}: ${inline(alternatives)}`);
  return [
    `## Probe of ${code(report.command)} with ${report.apis.join(' and ')}`,
    `**${inline(summaryLine(report))}**`,
    ...listed(listTitles.dependencies, report.dependencies),
    ...listed(listTitles.questions, report.questions),
    ...(notExercised.length > 0 ? [`<details><summary>Not exercised</summary>\n\n${notExercised.join('\n')}\n\n</details>`] : []),
    ...report.notReproducible.map(
      ({ alternatives }) => `Not reproducible: ${code(shorten(alternatives.join(', '), charactersShown))}`,
    ),
    ...report.noLongerNeeded.map(({ gap, expiry }) => `No longer needed: ${code(gap)}, accepted until ${expiry}`),
    inline(pairsText(report)),
    ...report.notes.map(inline),
    inline(nextStep(report)),
    '',
  ].join('\n\n');
}

function listed(title: string, found: readonly Dependency[]): string[] {
  if (found.length === 0) return [];
  const rows = found.map((one) => {
    const cells = [
      markOf(one),
      code(titleOf(one)),
      inline(one.alternatives.map(({ question }) => question).join(' ')),
      inline(standingText(one)),
      String(one.failedTests.length || ''),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const table = ['| | alternative | question | | tests |', '|---|---|---|---|---:|', ...rows].join('\n');
  return [`### ${inline(title)}`, table, ...found.map(details)];
}

function details(one: Dependency): string {
  const line = (label: string, text: string) => `- ${label}: ${inline(shorten(text, charactersShown))}`;
  const failure = failureLines(one);
  const lines = [
    ...one.alternatives.flatMap((alternative) => [
      line('Document', documentWords(alternative)),
      line('Our choice', alternative.choice),
      line('Alternative', alternative.text),
      ...differenceLines(alternative, differenceLabels).map(([label, text]) => line(label, text)),
      line('Instead', alternative.advice),
    ]),
    ...failure.lines.slice(0, linesShown).map((text) => line(failure.label, text)),
  ];
  return `<details><summary>${code(titleOf(one))}</summary>\n\n${lines.join('\n')}\n\n</details>`;
}
