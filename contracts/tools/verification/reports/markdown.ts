import type { InteractionResult, Problem, Verification } from '../result.ts';
import { count, duration, plain, plainLines, shorten } from './plain.ts';
import { byConsumer, exchanged, marks, nextStep, placeOf, shownProblems, statesText, summaryLine, targetOf } from './summary.ts';

const charactersShown = 600;
/** GitHub rejects a summary larger than 1 MiB. */
const bytesShown = 900_000;

const entity = (character: string) => `&#${character.codePointAt(0)};`;

/** Escapes foreign text inside a line of Markdown: every character with a meaning becomes an entity. */
export function inline(text: string): string {
  return plain(text.replaceAll(/\r\n|\r|\n/g, ' ')).replaceAll(/[^\p{L}\p{M}\p{N}\p{Zs},;?%=…✓✗-]/gu, entity);
}

/** Formats foreign text as code, in which GitHub creates no mentions or links. */
export const code = (text: string) => `<code>${inline(text)}</code>`;

/** Formats foreign text for `pre`, in which only these three characters have a meaning. */
const block = (text: string) => plainLines(shorten(text, charactersShown)).join('\n').replaceAll(/[&<>]/g, entity);

function problemBlock(problem: Problem): string {
  const { message, expected, actual, documented, gap } = problem;
  const lines = [
    `${placeOf(problem)}: ${message}`,
    ...(expected === undefined ? [] : [`expected  ${expected}`]),
    ...(actual === undefined ? [] : [`actual    ${actual}`]),
    ...(documented ? [`document  ${documented.document}, ${documented.section}: ${documented.says}`] : []),
    ...(gap ? [`gap       ${gap.id}: ${gap.question} Chosen: ${gap.choice}`] : []),
  ];
  return `<pre>${lines.map(block).join('\n')}</pre>`;
}

function details(result: InteractionResult): string {
  const { outcome, description } = result;
  const { shown, others } = shownProblems(result);
  const more = others.map((line) => `\n${line}\n`).join('');
  const lines = exchanged(result).map(([label, text]) => block(`${label.padEnd(10)}${text}`));
  const seen = lines.length > 0 ? `\n<pre>${lines.join('\n')}</pre>` : '';
  return `<details><summary>${marks[outcome]} ${code(shorten(description, 300))}</summary>\n\n${shown.map(problemBlock).join('\n')}\n${more}${seen}\n</details>\n`;
}

function row(result: InteractionResult): string {
  const states = statesText(result);
  const cells = [
    marks[result.outcome],
    code(shorten(result.description, 300)),
    states && code(states),
    duration(result.durationMs),
  ];
  return `| ${cells.join(' | ')} |`;
}

function section([consumer, results]: [string, InteractionResult[]]): string[] {
  const head = `### ${code(consumer)}\n\n| | interaction | given | time |\n|---|---|---|---:|`;
  const failing = results.filter(({ outcome }) => outcome !== 'verified');
  return [[head, ...results.map(row)].join('\n'), ...failing.map(details)];
}

/** Returns the pieces that fit within the limit, and the number of omitted ones. */
function withinBound(pieces: readonly string[]): string[] {
  let bytes = 0;
  const fitting = pieces.findIndex((piece) => {
    bytes += Buffer.byteLength(piece) + 2;
    return bytes > bytesShown;
  });
  if (fitting < 0) return [...pieces];
  return [...pieces.slice(0, fitting), `${count(pieces.length - fitting, 'more part')} omitted: see the JUnit or JSON report.`];
}

/** Formats a verification as Markdown for a CI page, such as `$GITHUB_STEP_SUMMARY`. */
export function markdownReport(verification: Verification): string {
  const pieces = withinBound(byConsumer(verification).flatMap(section));
  const listed = (lines: readonly string[], label = '') =>
    lines.map((line) => `- ${label}${code(shorten(line, charactersShown))}`);
  const notices = [...listed(verification.notices), ...listed(verification.unfinished, 'Not done: ')];
  return [
    `## Verification of ${verification.provider} at ${code(targetOf(verification))}`,
    `**${summaryLine(verification)}**`,
    ...pieces,
    ...(notices.length > 0 ? [notices.join('\n')] : []),
    `Next: ${inline(nextStep(verification))}`,
    '',
  ].join('\n\n');
}
