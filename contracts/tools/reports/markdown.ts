import { type Finding, type Group, type Labelled, marks, type Part, type Report } from './model.ts';
import { count, duration, labelWidth, plain, plainLines, shorten } from './plain.ts';

const charactersShown = 600;
/** GitHub rejects a summary larger than 1 MiB. */
const bytesShown = 900_000;

const entity = (character: string) => `&#${character.codePointAt(0)};`;

/** Escapes foreign text inside a line of Markdown: every character with a meaning becomes an entity. */
export const inline = (text: string): string =>
  plain(text.replaceAll(/\r\n|\r|\n/g, ' ')).replaceAll(/[^\p{L}\p{M}\p{N}\p{Zs},;?%=…✓✗-]/gu, entity);

/** Formats foreign text as code, in which GitHub creates no mentions or links. */
const code = (text: string) => `<code>${inline(text)}</code>`;

/** Formats text that may be foreign: as code unless it is prose. */
const words = (text: string) => (/^[\p{L}\p{M}\p{N}\p{Zs}.,;:'?()%=…-]*$/u.test(text) ? inline(text) : code(text));

/** Formats foreign text for `pre`, in which three characters have a meaning, and `@` may have one on the page that shows it. */
const block = (text: string) =>
  plainLines(shorten(text, charactersShown))
    .join('\n')
    .replaceAll(/[&<>@]/g, entity);

const blocks = (lines: readonly string[]) => (lines.length === 0 ? [] : [`<pre>${lines.map(block).join('\n')}</pre>`]);

const labelled = (lines: readonly (readonly [string, string | undefined])[]) =>
  lines.flatMap(([label, text]) => (text === undefined ? [] : [`${label.padEnd(labelWidth)}${text}`]));

const partBlock = ({ title, text, sides = [], lines = [] }: Part) =>
  blocks([text === undefined ? title : `${title}: ${text}`, ...labelled([...sides, ...lines])]);

const folded = (summary: string, lines: readonly string[]) =>
  `\n<details><summary>${summary}</summary>\n\n${lines.join('\n')}\n\n</details>\n`;

function details({ outcome, title, parts = [], lines = [] }: Finding): string[] {
  if (outcome === 'passed' || parts.length + lines.length === 0) return [];
  const inside = [...parts.flatMap(partBlock), ...blocks(labelled(lines as Labelled[]))];
  return [folded(`${marks[outcome]} ${code(shorten(title, 300))}`, inside)];
}

function row({ outcome, word, title, about, text, durationMs }: Finding): string {
  const said = [
    // Further words may begin with the same one.
    ...(word === undefined || about?.startsWith(word) ? [] : [words(word)]),
    ...(about === undefined ? [] : [words(about)]),
    ...(text === undefined ? [] : [inline(shorten(text, charactersShown))]),
  ];
  const took = durationMs === undefined ? '' : duration(durationMs);
  return `| ${marks[outcome]} | ${code(shorten(title, 300))} | ${said.join(' · ')} | ${took} |`;
}

const section = ({ title, findings }: Group): string[] => [
  `\n### ${words(title)}\n\n| | | | ${findings.some(({ durationMs }) => durationMs !== undefined) ? 'time' : ''} |\n|---|---|---|---:|`,
  ...findings.map(row),
  ...findings.flatMap(details),
];

/** Returns the pieces that fit within the limit, and the number of omitted ones. */
function withinBound(pieces: readonly string[]): string[] {
  let bytes = 0;
  const fitting = pieces.findIndex((piece) => {
    bytes += Buffer.byteLength(piece) + 1;
    return bytes > bytesShown;
  });
  if (fitting < 0) return [...pieces];
  return [
    ...pieces.slice(0, fitting),
    `\n${count(pieces.length - fitting, 'more part')} omitted: see the JUnit or JSON report.\n`,
  ];
}

/** Formats a report as Markdown for a CI page, such as `$GITHUB_STEP_SUMMARY`. */
export function markdownReport(report: Report): string {
  const { title, subject, summary, groups, lists = [], notes = [], unfinished = [], next } = report;
  const listed = (lines: readonly string[], label = '') =>
    lines.map((line) => `- ${label}${words(shorten(line, charactersShown))}`);
  const others = [...listed(notes), ...listed(unfinished, 'Not done: ')];
  return [
    `## ${inline(title)}${subject === undefined ? '' : ` ${code(subject)}`}`,
    `\n**${inline(summary)}**`,
    ...withinBound(groups.flatMap(section)),
    ...lists.map((list) => folded(inline(list.title), listed(list.items))),
    ...(others.length === 0 ? [] : ['', ...others]),
    ...(next === undefined ? [] : [`\nNext: ${inline(next)}`]),
    '',
  ].join('\n');
}
