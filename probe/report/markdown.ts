import { code, inline } from '../../contracts/tools/verification/reports/markdown.ts';
import { shorten } from '../../contracts/tools/verification/reports/plain.ts';
import type { Dependency, ProbeReport } from '../types.ts';
import {
  alternativeLines,
  failureLines,
  listsOf,
  listTitles,
  markOf,
  nextStep,
  pairsText,
  standingText,
  summaryLine,
  titleOf,
} from './parts.ts';

const charactersShown = 600;
const linesShown = 20;

/** Formats a probe as Markdown for a CI page, such as `$GITHUB_STEP_SUMMARY`. */
export function markdownReport(report: ProbeReport): string {
  return [
    `## Probe of ${code(report.command)} with ${report.apis.join(' and ')}`,
    `**${inline(summaryLine(report))}**`,
    ...listed(listTitles.dependencies, report.dependencies),
    ...listed(listTitles.questions, report.questions),
    ...listsOf(report).map(([title, items]) =>
      folded(
        inline(title),
        items.map((item) => `- ${inline(item)}`),
      ),
    ),
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
  const failures = failureLines(one).slice(0, linesShown);
  const lines = [...one.alternatives.flatMap(alternativeLines), ...failures.map((text) => ['fails', text] as const)];
  return folded(
    code(titleOf(one)),
    lines.map(([label, text]) => `- ${label}: ${inline(shorten(text, charactersShown))}`),
  );
}

const folded = (summary: string, lines: readonly string[]) =>
  `<details><summary>${summary}</summary>\n\n${lines.join('\n')}\n\n</details>`;
