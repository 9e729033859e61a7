import { count, plain, shorten } from '../verification/reports/plain.ts';
import type { Problem } from '../verification/result.ts';
import type { AssumptionFinding } from './check.ts';

/** Returns the findings that make the check fail. */
export const overSpecified = (findings: readonly AssumptionFinding[]) =>
  findings.filter(({ verdict }) => verdict === 'over-specified');

/**
 * Formats the findings for a terminal, by interaction and gap, with a summary at the end. Text from pacts and replies is
 * cleaned with `plain`.
 */
export function assumptionsText(findings: readonly AssumptionFinding[]): string {
  const byInteraction = Map.groupBy(findings, ({ source, consumer, description }) => `${consumer} (${source}): ${description}`);
  const parts = [...byInteraction].map(([title, own]) => {
    const byGap = Map.groupBy(own, ({ gap }) => gap.id);
    return [plain(title), ...[...byGap.values()].flatMap(linesOf)].join('\n');
  });
  return [...parts, summary(findings)].join('\n\n');
}

/** Formats the findings of one interaction about one gap. */
function linesOf(found: AssumptionFinding[]): string[] {
  const [first] = found;
  if (!first) return [];
  const { id, question, choice } = first.gap;
  const shown = plain(id);
  if (first.verdict === 'rests-on') return [`  rests on ${shown} (declared)`];
  if (first.verdict === 'needless') return [`  note: declares ${shown}, but would pass under every other choice`];
  if (first.verdict === 'unknown-gap') return [`  note: declares ${shown}, which is not in the gap register`];
  return [
    `  over-specified: rests on ${shown}, but does not declare it`,
    `    ${question} Assumed: ${choice}`,
    ...found.flatMap(({ alternative, problems }) => [
      `    would fail if: ${alternative}`,
      ...problems.slice(0, problemsShown).map((problem) => `      ${problemText(problem)}`),
      ...(problems.length > problemsShown ? [`      and ${problems.length - problemsShown} more`] : []),
    ]),
    `    Declare it with .reference('gap', '${shown}', '...') or loosen the matcher.`,
  ];
}

const problemsShown = 3;
const valueCharacters = 120;

function problemText({ kind, path, expected, actual, message }: Problem): string {
  const place = plain(path === undefined ? kind : `${kind === 'body' ? '' : `${kind} `}${path}`);
  if (expected === undefined && actual === undefined) return `${place}: ${short(message)}`;
  return `${place}: expected ${short(expected ?? 'nothing')}, actual ${short(actual ?? 'nothing')}`;
}

function summary(findings: readonly AssumptionFinding[]): string {
  const bad = overSpecified(findings);
  const interactions = new Set(bad.map(({ source, description }) => `${source}\n${description}`)).size;
  const resting = new Set(findings.filter(({ verdict }) => verdict === 'rests-on').map(({ gap }) => gap.id)).size;
  const declared = `${count(resting, 'assumption')} declared`;
  if (interactions === 0) return `No interaction is over-specified; ${declared}.`;
  return `${count(interactions, 'interaction')} over-specified; ${declared}.`;
}

const short = (text: string) => shorten(plain(text), valueCharacters);
