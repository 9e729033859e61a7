import { element, xmlText } from '../verification/reports/junit.ts';
import { code, inline } from '../verification/reports/markdown.ts';
import { count, plain, shorten } from '../verification/reports/plain.ts';
import { palette, type TextOptions } from '../verification/reports/text.ts';
import type { Accepted, Judged } from './accepted.ts';
import { type Severity, severities } from './rules.ts';

/** The changes between two documents, and what was accepted beforehand. */
export interface Compared {
  old: string;
  new: string;
  changes: readonly Judged[];
  /** Entries of the file of accepted changes that accept nothing. */
  unneeded: readonly Accepted[];
  /** The least severity that fails the check. */
  failOn: Exclude<Severity, 'harmless'>;
  /** Notes about the comparison, such as that both are the same file. */
  notes: readonly string[];
}

const shownCharacters = 300;

/** Returns true if the change fails the check. */
export const fails = ({ failOn }: Compared, { severity, accepted }: Judged): boolean =>
  !accepted && severities.indexOf(severity) <= severities.indexOf(failOn);

export const isFailed = (compared: Compared): boolean => compared.changes.some((one) => fails(compared, one));

const tally = ({ changes }: Compared) => {
  const of = (wanted: Severity) => changes.filter(({ severity, accepted }) => severity === wanted && !accepted).length;
  return {
    breaking: of('breaking'),
    risky: of('risky'),
    harmless: of('harmless'),
    accepted: changes.filter((one) => one.accepted).length,
  };
};

/** Returns such as `2 breaking, 0 risky, 5 harmless`. */
function summaryLine(compared: Compared): string {
  const { accepted, ...rest } = tally(compared);
  const counts = severities.map((severity) => `${rest[severity]} ${severity}`).join(', ');
  return `${count(compared.changes.length, 'change')} from ${compared.old} to ${compared.new}: ${counts}${accepted > 0 ? `, ${accepted} accepted` : ''}`;
}

interface Group {
  first: Judged;
  others: number;
}

/** Groups the changes of a component, which appears in many operations. */
function grouped(changes: readonly Judged[]): Group[] {
  const keyOf = ({ rule, place, before, after, accepted, expired }: Judged) =>
    JSON.stringify([rule, place.includes('$') ? place.slice(place.indexOf('$')) : place, before, after, accepted, expired]);
  return [...Map.groupBy(changes, keyOf).values()].flatMap(([first, ...others]) =>
    first ? [{ first, others: others.length }] : [],
  );
}

const placesText = ({ first, others }: Group) => `${first.place}${others === 0 ? '' : `, and ${count(others, 'more place')}`}`;

function valueLines({ before, after, accepted, expired }: Judged): string[] {
  return [
    ...(before === undefined ? [] : [`before: ${before}`]),
    ...(after === undefined ? [] : [`after:  ${after}`]),
    ...(accepted ? [`accepted until ${accepted.expiry}: ${accepted.reason}`] : []),
    ...(expired ? [`was accepted until ${expired.expiry}: ${expired.reason}`] : []),
  ].map((line) => shorten(line, shownCharacters));
}

const explanation = ({ what, why, rule }: Judged) => `${what}${why ? ` ${why}` : ''} (${rule})`;

const unneededLine = ({ rule, place }: Accepted) => `No longer needed in the file of accepted changes: ${rule} at ${place}`;

/** Of harmless changes, a terminal shows this many. */
const harmlessShown = 20;

function harmlessLines(changes: readonly Judged[]): string[] {
  const groups = grouped(changes);
  const rest = groups.length - harmlessShown;
  return [
    ...groups.slice(0, harmlessShown).map((group) => `  ${placesText(group)}: ${group.first.what} (${group.first.rule})`),
    ...(rest > 0 ? [`  and ${rest} more, which --json lists`] : []),
  ];
}

/** Formats the changes of one severity. Harmless ones take a line each. */
function severityLines(severity: Severity, changes: readonly Judged[]): string[] {
  if (severity === 'harmless') return harmlessLines(changes);
  return grouped(changes).flatMap((group) => [
    `  ${placesText(group)}`,
    `    ${explanation(group.first)}`,
    ...valueLines(group.first).map((line) => `    ${line}`),
  ]);
}

const styles = { breaking: 'failed', risky: 'pending', harmless: 'dim' } as const;

/** Formats the comparison for a terminal. */
export function breakingText(compared: Compared, { colors }: Pick<TextOptions, 'colors'>): string {
  const style = palette(colors);
  const of = (severity: Severity) => compared.changes.filter((one) => one.severity === severity);
  const lines = severities.flatMap((severity) => {
    const changes = of(severity);
    if (changes.length === 0) return [];
    return [style[styles[severity]](severity), ...severityLines(severity, changes).map(plain), ''];
  });
  const last = plain(summaryLine(compared));
  return [
    ...lines,
    ...[...compared.notes, ...compared.unneeded.map(unneededLine)].map(plain),
    (isFailed(compared) ? style.failed : style.verified)(last),
    '',
  ].join('\n');
}

/** Formats the comparison for programs. */
export function breakingJson(compared: Compared): string {
  const { old, new: now, changes, unneeded, notes } = compared;
  return JSON.stringify(
    { old, new: now, failed: isFailed(compared), counts: tally(compared), changes, unneeded, notes },
    null,
    2,
  );
}

function testcase(compared: Compared, one: Judged): string {
  const message = explanation(one);
  const content = [`\n${xmlText([one.place, ...valueLines(one)].join('\n')).replaceAll('&#10;', '\n')}\n`];
  const outcome = fails(compared, one)
    ? element('failure', { message, type: one.rule }, content)
    : element('skipped', { message: one.accepted ? `accepted: ${one.accepted.reason}` : `${one.severity}: ${message}` });
  return `    ${element('testcase', { name: shorten(`${one.place}: ${one.what}`, 500), classname: one.severity, time: '0.000' }, [outcome])}\n`;
}

/** Formats the comparison as JUnit XML: a test for each change that a consumer may notice. */
export function breakingJunit(compared: Compared): string {
  const noticed = compared.changes.filter(({ severity }) => severity !== 'harmless');
  const failures = noticed.filter((one) => fails(compared, one)).length;
  const attributes = { tests: noticed.length + 1, failures, errors: 0, skipped: noticed.length - failures, time: '0.000' };
  const whole = `    ${element('testcase', { name: `${compared.new} was compared with ${compared.old}`, classname: 'compared', time: '0.000' })}\n`;
  const suite = element('testsuite', { name: `${compared.old} to ${compared.new}`, ...attributes }, [
    '\n',
    whole,
    ...noticed.map((one) => testcase(compared, one)),
    '  ',
  ]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', { name: 'passerelle breaking', ...attributes }, ['\n  ', suite, '\n'])}\n`;
}

/** GitHub rejects a summary larger than 1 MiB. */
const rowsShown = 500;

/** Formats the comparison as Markdown, for a CI page such as `$GITHUB_STEP_SUMMARY`. */
export function breakingMarkdown(compared: Compared): string {
  const groups = grouped(compared.changes);
  const row = (group: Group) => {
    const { severity, accepted } = group.first;
    const values = valueLines(group.first).map((line) => `<br>${code(line)}`);
    return `| ${accepted ? 'accepted' : severity} | ${code(placesText(group))} | ${inline(explanation(group.first))}${values.join('')} |`;
  };
  const table = ['| severity | place | change |', '|---|---|---|', ...groups.slice(0, rowsShown).map(row)];
  const rest = groups.length - rowsShown;
  return [
    `## ${isFailed(compared) ? 'The new document breaks consumers' : 'Nothing breaks a consumer'}`,
    `**${inline(summaryLine(compared))}**`,
    ...(groups.length > 0 ? [table.join('\n')] : []),
    ...(rest > 0 ? [`${count(rest, 'more change')} omitted: see the JSON report.`] : []),
    ...[...compared.notes, ...compared.unneeded.map(unneededLine)].map((line) => `- ${inline(line)}`),
    '',
  ].join('\n\n');
}
