import { plain, shorten, wrap } from '../../contracts/tools/verification/reports/plain.ts';
import { palette, type TextOptions } from '../../contracts/tools/verification/reports/text.ts';
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
  unaccepted,
} from './parts.ts';

const linesShown = 10;
const charactersShown = 400;
const margin = 14;

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
    const more = failure.length - linesShown;
    return [
      style(`${markOf(one)} ${plain(titleOf(one))}`),
      ...(one.standing === 'new' ? [] : labelled('', standingText(one))),
      ...(one.alternatives.length > 1 ? labelled('', 'Each alone passes. They fail together.') : []),
      ...one.alternatives.flatMap(alternativeLines).flatMap(([label, line]) => labelled(label, line)),
      ...failure.slice(0, linesShown).flatMap((line, at) => labelled(at === 0 ? 'fails' : '', line)),
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
    ...labelled('fails', failureLines(one).join(', ')),
    '',
  ];
  const titled = (title: string, found: readonly Dependency[], lines: (one: Dependency) => string[]) =>
    found.length === 0 ? [] : [...wrap(`${title} (${found.length}):`, width).map(styles.bold), '', ...found.flatMap(lines)];
  const isGreen = !report.stopped && unaccepted(report.dependencies).length === 0;
  return [
    styles.bold(`Probe of ${plain(report.command)} with ${report.apis.join(' and ')}`),
    '',
    ...titled(listTitles.dependencies, report.dependencies, dependency),
    ...titled(listTitles.questions, report.questions, question),
    ...listsOf(report).flatMap(([title, items]) => [
      styles.bold(title),
      ...items.flatMap((item) => wrap(`  ${item}`, width)),
      '',
    ]),
    ...report.notes.flatMap((note) => wrap(`Note: ${note}`, width)),
    ...wrap(pairsText(report), width),
    (isGreen ? styles.verified : styles.failed)(summaryLine(report)),
    ...wrap(nextStep(report), width),
    styles.dim(`Seed: ${report.seed}`),
    '',
  ].join('\n');
}
