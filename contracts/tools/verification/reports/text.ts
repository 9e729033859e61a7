import { styleText } from 'node:util';
import type { InteractionResult, Outcome, Problem, Verification } from '../result.ts';
import { duration, plain, shorten, widthOf, wrap } from './plain.ts';
import { byConsumer, exchanged, marks, nextStep, placeOf, shownProblems, statesText, summaryLine, targetOf } from './summary.ts';

export interface TextOptions {
  /** Width of the terminal, in characters. */
  width: number;
  colors: boolean;
}

type Style = (text: string) => string;
type Palette = Record<Outcome | 'bold' | 'dim', Style>;

/** Returns the style of each part; without colours, all styles are plain. */
export function palette(colors: boolean): Palette {
  const style =
    (format: 'green' | 'red' | 'yellow' | 'bold' | 'dim'): Style =>
    (text) =>
      colors ? styleText(format, text, { validateStream: false }) : text;
  return { verified: style('green'), failed: style('red'), pending: style('yellow'), bold: style('bold'), dim: style('dim') };
}

const indent = '      ';
const linesShown = 12;
const charactersShown = 2000;

function bounded(lines: string[]): string[] {
  return lines.length <= linesShown
    ? lines
    : [...lines.slice(0, linesShown - 1), `… (${lines.length - linesShown + 1} more lines)`];
}

/** Formats the expected and actual values side by side. */
function sideBySide({ expected, actual }: Problem, width: number, { bold, dim }: Palette): string[] {
  if (expected === undefined && actual === undefined) return [];
  const column = Math.max(12, Math.floor((width - indent.length - 3) / 2));
  const cell = (text: string | undefined) => bounded(wrap(shorten(text ?? '(nothing)', charactersShown), column));
  const [left, right] = [cell(expected), cell(actual)];
  const row = (one: string, other: string, style: Style = (text) => text) =>
    `${indent}${style(one)}${' '.repeat(column - widthOf(one))} ${dim('│')} ${style(other)}`.trimEnd();
  const rows = Array.from({ length: Math.max(left.length, right.length) }, (_, at) => row(left[at] ?? '', right[at] ?? ''));
  return [row('expected', 'actual', bold), `${indent}${dim(`${'─'.repeat(column)}─┼─${'─'.repeat(column)}`)}`, ...rows];
}

/** Formats `label   text`, with further lines aligned below the text. */
function labelled(label: string, text: string, width: number, style: Style): string[] {
  const margin = indent.length + 10;
  const lines = wrap(text, Math.max(20, width - margin));
  return lines.map((line, at) => `${indent}${at === 0 ? style(label.padEnd(10)) : ' '.repeat(10)}${line}`);
}

function problemLines(problem: Problem, width: number, colors: Palette): string[] {
  const { documented, gap } = problem;
  const message = wrap(shorten(problem.message, charactersShown), Math.max(20, width - indent.length));
  return [
    `${indent.slice(2)}${colors.bold(shorten(placeOf(problem), 200))}`,
    ...message.map((line) => `${indent}${line}`),
    ...sideBySide(problem, width, colors),
    ...(documented
      ? labelled('document', `${documented.document}, ${documented.section}: ${documented.says}`, width, colors.dim)
      : []),
    ...(gap ? labelled('gap', `${gap.id}: ${gap.question} Chosen: ${gap.choice}`, width, colors.dim) : []),
  ];
}

/** Formats an interaction as `✗ description      35 ms  given a state`, with its problems below. */
function interactionLines(result: InteractionResult, width: number, colors: Palette): string[] {
  const took = duration(result.durationMs).padStart(8);
  const given = statesText(result);
  const line = `  ${marks[result.outcome]} ${shorten(plain(result.description), 300)}  ${took}${given === '' ? '' : `  given ${given}`}`;
  if (result.outcome === 'verified') return [colors.verified(line)];
  const { shown, others } = shownProblems(result);
  return [
    colors[result.outcome](line),
    ...shown.flatMap((problem) => problemLines(problem, width, colors)),
    ...others.map((line) => `${indent}${line}`),
    ...exchanged(result).flatMap(([label, text]) => labelled(label, text, width, colors.dim)),
    '',
  ];
}

/** Formats a verification for a terminal. */
export function textReport(verification: Verification, { width, colors }: TextOptions): string {
  const styles = palette(colors);
  const { verified, failed, pending } = summaryStyles(verification, styles);
  const consumers = byConsumer(verification).flatMap(([consumer, results]) => [
    `${styles.bold(plain(consumer))}  ${styles.dim([...new Set(results.map(({ source }) => plain(source)))].join(', '))}`,
    ...results.flatMap((result) => interactionLines(result, width, styles)),
    '',
  ]);
  return [
    styles.bold(`Verification of ${verification.provider} at ${targetOf(verification)}`),
    '',
    ...consumers,
    ...verification.notices.flatMap((notice) => wrap(shorten(notice, charactersShown), width)),
    ...verification.unfinished.flatMap((line) => wrap(`Not done: ${shorten(line, charactersShown)}`, width).map(styles.failed)),
    (failed ?? pending ?? verified)(summaryLine(verification)),
    ...wrap(`Next: ${nextStep(verification)}`, width),
    '',
  ].join('\n');
}

/** Returns the style of the summary, which depends on the worst outcome. */
function summaryStyles({ interactions }: Verification, styles: Palette) {
  const has = (outcome: Outcome) => (interactions.some((one) => one.outcome === outcome) ? styles[outcome] : undefined);
  return { failed: has('failed'), pending: has('pending'), verified: styles.verified };
}
