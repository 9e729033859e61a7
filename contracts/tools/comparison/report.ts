import { count, plain, shorten, wrap } from '../verification/reports/plain.ts';
import { palette, type TextOptions } from '../verification/reports/text.ts';
import type { Comparison, Finding } from './compare.ts';

const marks = { error: '✗', warning: '!' } as const;
const styles = { error: 'failed', warning: 'pending' } as const;
const indent = '      ';

function findingLines(finding: Finding, width: number, style: (text: string) => string): string[] {
  const { severity, message, code, pact, document, nearest } = finding;
  const value = pact.value === undefined ? '' : ` = ${shorten(JSON.stringify(pact.value) ?? '', 300)}`;
  const rows = [
    ['pact', `${pact.place}${value}`],
    ['document', document?.place],
    ['nearest', nearest],
  ].filter((row): row is [string, string] => row[1] !== undefined);
  const within = Math.max(20, width - indent.length - 10);
  return [
    ...wrap(`${marks[severity]} ${shorten(message, 500)} (${code})`, width - 4).map((line) => style(`    ${line}`)),
    ...rows.flatMap(([label, text]) =>
      wrap(shorten(text, 700), within).map((line, at) => `${indent}${at === 0 ? label.padEnd(10) : ' '.repeat(10)}${line}`),
    ),
  ];
}

/** Formats a comparison for a terminal. */
export function comparisonText({ provider, interactions, findings }: Comparison, { width, colors }: TextOptions): string {
  const all = palette(colors);
  const title = ({ consumer, source, description, states }: Finding) =>
    plain(`${consumer}  ${shorten(description, 300)}${states === '' ? '' : `  given ${states}`}  (${source})`);
  const groups = Map.groupBy(findings, title);
  const lines = [...groups].flatMap(([heading, of]) => [
    all.bold(heading),
    ...of.flatMap((finding) => findingLines(finding, width, all[styles[finding.severity]])),
    '',
  ]);
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const last = `${count(interactions, 'interaction')} compared with ${provider}: ${count(errors, 'error')}, ${count(findings.length - errors, 'warning')}`;
  return [...lines, (errors > 0 ? all.failed : all.verified)(last), ''].join('\n');
}
