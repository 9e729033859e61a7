import { type Group, type Labelled, labelledOf, type Report } from '../reports/model.ts';
import { count, shorten } from '../reports/plain.ts';
import type { Comparison, Finding } from './compare.ts';

function linesOf({ pact, document, nearest }: Finding): Labelled[] {
  const value = pact.value === undefined ? '' : ` = ${shorten(JSON.stringify(pact.value) ?? '', 300)}`;
  const texts = { pact: `${pact.place}${value}`, document: document?.place, nearest };
  return labelledOf(texts).map(([label, text]) => [label, shorten(text, 700)]);
}

export function comparisonReport({ provider, interactions, findings }: Comparison): Report {
  const titleOf = ({ consumer, source, description, states }: Finding) =>
    `${consumer}  ${shorten(description, 300)}${states === '' ? '' : `  given ${states}`}  (${source})`;
  const groups = [...Map.groupBy(findings, titleOf)].map(
    ([title, own]): Group => ({
      title,
      findings: own.map((one) => ({
        outcome: one.severity === 'error' ? 'failed' : 'pending',
        word: one.severity,
        title: `${shorten(one.message, 500)} (${one.code})`,
        lines: linesOf(one),
      })),
    }),
  );
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const warnings = findings.length - errors;
  return {
    tool: 'compare',
    title: `Comparison with ${provider}`,
    summary: `${count(interactions, 'interaction')} compared with ${provider}: ${count(errors, 'error')}, ${count(warnings, 'warning')}`,
    groups,
  };
}
