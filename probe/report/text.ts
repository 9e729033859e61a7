import { plain, shorten, wrap } from '../../contracts/tools/verification/reports/plain.ts';
import { palette, type TextOptions } from '../../contracts/tools/verification/reports/text.ts';
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
  unaccepted,
} from './parts.ts';

const linesShown = 10;
const charactersShown = 400;
const margin = 14;
const differenceLabels = { differs: 'differs', plain: '  plain', otherwise: '  otherwise' };

/** Formats a probe for a terminal. */
export function textReport(report: ProbeReport, { width, colors }: TextOptions): string {
  const styles = palette(colors);
  const labelled = (label: string, text: string) =>
    wrap(shorten(text, charactersShown), Math.max(30, width - margin)).map(
      (line, at) => `  ${at === 0 ? styles.dim(label.padEnd(margin - 2)) : ' '.repeat(margin - 2)}${line}`,
    );
  const dependency = (one: Dependency): string[] => {
    const style = one.standing === 'accepted' ? styles.pending : styles.failed;
    const failure = failureLines(one);
    const more = failure.lines.length - linesShown;
    return [
      style(`${markOf(one)} ${plain(titleOf(one))}`),
      ...(one.standing === 'new' ? [] : labelled('', standingText(one))),
      ...(one.alternatives.length > 1 ? labelled('', 'Each alone passes. They fail together.') : []),
      ...one.alternatives.flatMap((alternative) => {
        const { question, choice, text, advice } = alternative;
        return [
          ...labelled('question', question),
          ...labelled('document', documentWords(alternative)),
          ...labelled('our choice', choice),
          ...labelled('alternative', text),
          ...differenceLines(alternative, differenceLabels).flatMap(([label, line]) => labelled(label, line)),
          ...labelled('instead', advice),
        ];
      }),
      ...failure.lines.slice(0, linesShown).flatMap((line, at) => labelled(at === 0 ? failure.label : '', line)),
      ...(more > 0 ? labelled('', `and ${more} more`) : []),
      '',
    ];
  };
  /** Shorter than a dependency: there are many of them, and nothing to change in the code. */
  const question = (one: Dependency): string[] => [
    ...one.alternatives.flatMap((alternative) => [
      ...wrap(`${markOf(one)} ${alternative.question}`, width),
      ...labelled('our choice', alternative.choice),
      ...labelled('alternative', `${alternative.text} (${alternative.id})`),
      ...labelled('differs', alternative.differences.map(({ where }) => where).join(', ')),
    ]),
    ...(one.standing === 'new' ? [] : labelled('', standingText(one))),
    ...labelled('fails', failureLines(one).lines.join(', ')),
    '',
  ];
  const titled = (title: string, found: readonly Dependency[], lines: (one: Dependency) => string[]) =>
    found.length === 0 ? [] : [...wrap(`${title} (${found.length}):`, width).map(styles.bold), '', ...found.flatMap(lines)];
  const listed = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [styles.bold(title), ...lines.flatMap((line) => wrap(`  ${line}`, width)), ''];
  const isGreen = !report.stopped && unaccepted(report.dependencies).length === 0;
  return [
    styles.bold(`Probe of ${plain(report.command)} with ${report.apis.join(' and ')}`),
    '',
    ...titled(listTitles.dependencies, report.dependencies, dependency),
    ...titled(listTitles.questions, report.questions, question),
    ...listed(
      'Not exercised',
      notExercisedByGap(report).map(([gap, alternatives]) => `${gap}: ${alternatives}`),
    ),
    ...listed(
      'Not reproducible: failed, and passed when it was run again',
      report.notReproducible.map(({ alternatives, failedTests }) =>
        plain(
          `${shorten(alternatives.join(', '), 200)}${failedTests.length > 0 ? `: ${failedTests.slice(0, 3).join(', ')}` : ''}`,
        ),
      ),
    ),
    ...listed(
      'No longer needed in passerelle.assumptions.json',
      report.noLongerNeeded.map(({ gap, reason, expiry }) => plain(`${gap} (until ${expiry}): ${reason}`)),
    ),
    ...report.notes.flatMap((note) => wrap(`Note: ${note}`, width)),
    ...wrap(pairsText(report), width),
    (isGreen ? styles.verified : styles.failed)(summaryLine(report)),
    ...wrap(nextStep(report), width),
    styles.dim(`Seed: ${report.seed}`),
    '',
  ].join('\n');
}
