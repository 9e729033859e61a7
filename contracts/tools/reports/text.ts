import { styleText } from 'node:util';
import {
  type Finding,
  findingsOf,
  type Group,
  type Labelled,
  marks,
  type Outcome,
  type Part,
  type Report,
  worstFirst,
} from './model.ts';
import { duration, labelWidth, plain, shorten, widthOf, wrap } from './plain.ts';

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
  const [failed, dim] = [style('red'), style('dim')];
  return { passed: style('green'), failed, error: failed, pending: style('yellow'), skipped: dim, bold: style('bold'), dim };
}

const indent = '      ';
const linesShown = 12;
const charactersShown = 2000;

const bounded = (lines: string[]): string[] =>
  lines.length <= linesShown ? lines : [...lines.slice(0, linesShown - 1), `… (${lines.length - linesShown + 1} more lines)`];

/** Formats two values side by side. */
function sideBySide([one, other]: NonNullable<Part['sides']>, width: number, { bold, dim }: Palette): string[] {
  if (!one || !other) return [];
  const column = Math.max(12, Math.floor((width - indent.length - 3) / 2));
  const cell = (text: string | undefined) => bounded(wrap(shorten(text ?? '(nothing)', charactersShown), column));
  const [left, right] = [cell(one[1]), cell(other[1])];
  const row = (own: string, beside: string, style: Style = (text) => text) =>
    `${indent}${style(own)}${' '.repeat(column - widthOf(own))} ${dim('│')} ${style(beside)}`.trimEnd();
  const rows = Array.from({ length: Math.max(left.length, right.length) }, (_, at) => row(left[at] ?? '', right[at] ?? ''));
  return [row(one[0], other[0], bold), `${indent}${dim(`${'─'.repeat(column)}─┼─${'─'.repeat(column)}`)}`, ...rows];
}

/** Formats `label   text`, with further lines aligned below the text. A command stays on one line, so that it can be copied. */
function labelled([label, text]: Labelled, width: number, style: Style): string[] {
  const column = label === 'try it' ? Number.POSITIVE_INFINITY : Math.max(20, width - indent.length - labelWidth);
  const lines = wrap(shorten(text, charactersShown), column);
  return bounded(lines).map((line, at) => {
    const margin = at === 0 ? style(label.padEnd(labelWidth)) : ' '.repeat(labelWidth);
    return `${indent}${margin}${line}`;
  });
}

const sentences = (text: string | undefined, width: number): string[] =>
  text === undefined
    ? []
    : wrap(shorten(text, charactersShown), Math.max(20, width - indent.length)).map((line) => `${indent}${line}`);

const partLines = ({ title, text, sides = [], lines = [] }: Part, width: number, styles: Palette): string[] => [
  `${indent.slice(2)}${styles.bold(plain(shorten(title, 200)))}`,
  ...sentences(text, width),
  ...sideBySide(sides, width, styles),
  ...lines.flatMap((one) => labelled(one, width, styles.dim)),
];

/** Formats a finding as `✗ title      35 ms  given a state`, with its details below. What passed has none. */
function findingLines(finding: Finding, width: number, styles: Palette): string[] {
  const { outcome, title, about, durationMs, text, parts = [], lines = [] } = finding;
  const took = durationMs === undefined ? '' : `  ${duration(durationMs).padStart(8)}`;
  const head = `  ${marks[outcome]} ${shorten(plain(title), 300)}${took}${about === undefined ? '' : `  ${plain(about)}`}`;
  const details =
    outcome === 'passed'
      ? []
      : [
          ...parts.flatMap((part) => partLines(part, width, styles)),
          ...lines.flatMap((line) => labelled(line, width, styles.dim)),
          ...(parts.length + lines.length > 0 ? [''] : []),
        ];
  return [styles[outcome](head), ...sentences(text, width), ...details];
}

function groupLines({ title, about, findings }: Group, width: number, styles: Palette): string[] {
  const lines = findings.flatMap((one) => findingLines(one, width, styles));
  const heading = `${styles.bold(plain(title))}${about === undefined ? '' : `  ${styles.dim(plain(about))}`}`;
  return [heading, ...lines, ...(lines.at(-1) === '' ? [] : [''])];
}

/** Formats a report for a terminal. */
export function textReport(report: Report, { width, colors }: TextOptions): string {
  const styles = palette(colors);
  const found = findingsOf(report);
  const { outcome = worstFirst.find((worst) => found.some((one) => one.outcome === worst)) ?? 'passed' } = report;
  const wrapped = (text: string) => wrap(shorten(text, charactersShown), width);
  const listed = (item: string) =>
    wrap(shorten(item, charactersShown), width - 4).map((line, at) => `${at === 0 ? '  ' : '    '}${line}`);
  return [
    styles.bold(plain(`${report.title} ${report.subject ?? ''}`.trimEnd())),
    '',
    ...report.groups.flatMap((group) => groupLines(group, width, styles)),
    ...(report.lists ?? []).flatMap(({ title, items }) => [styles.bold(title), ...items.flatMap(listed), '']),
    ...(report.notes ?? []).flatMap(wrapped),
    ...(report.unfinished ?? []).flatMap((line) => wrapped(`Not done: ${line}`).map(styles.failed)),
    styles[outcome](plain(report.summary)),
    ...(report.next === undefined ? [] : wrapped(`Next: ${report.next}`)),
    '',
  ].join('\n');
}
