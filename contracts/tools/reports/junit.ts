import { type Finding, findingsOf, type Group, hasFailed, type Part, type Report, wordOf } from './model.ts';
import { labelWidth, plainLines, shorten } from './plain.ts';

const charactersShown = 2000;
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
};

/** Escapes text for XML 1.0 content and attributes. Characters that XML forbids are written as `\u{...}`. */
export const xmlText = (text: string): string =>
  plainLines(text)
    .join('\n')
    .replaceAll(/[&<>"'\n]/g, (character) => entities[character] ?? '');

type Attributes = Record<string, string | number>;

function element(name: string, attributes: Attributes, content: readonly string[] = []): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${xmlText(String(value))}"`);
  const opening = `<${name}${written.join('')}`;
  return content.length === 0 ? `${opening}/>` : `${opening}>${content.join('')}</${name}>`;
}

const seconds = (ms = 0) => (ms / 1000).toFixed(3);

const line = (label: string, text: string) => `${`${label}:`.padEnd(labelWidth + 1)}${shorten(text, charactersShown)}`;

const partText = ({ title, text, sides = [], lines = [] }: Part): string =>
  [
    text === undefined ? title : `${title}: ${shorten(text, charactersShown)}`,
    ...[...sides, ...lines].flatMap(([label, value]) => (value === undefined ? [] : [`  ${line(label, value)}`])),
  ].join('\n');

/** The element that says how a test case ended, and what is known of it. */
function outcomeOf(finding: Finding): string[] {
  const { outcome, text, parts = [], lines = [], message = text ?? wordOf(finding), type = wordOf(finding) } = finding;
  if (outcome === 'passed') return [];
  const details = [
    ...(text === undefined ? [] : [text]),
    ...parts.map(partText),
    ...lines.map(([label, value]) => line(label, value)),
  ];
  const content = details.length === 0 ? [] : [`\n${xmlText(details.join('\n\n')).replaceAll('&#10;', '\n')}\n`];
  if (hasFailed(finding)) return [element(outcome === 'error' ? 'error' : 'failure', { message, type }, content)];
  return [element('skipped', { message }), ...(content.length === 0 ? [] : [element('system-out', {}, content)])];
}

function testcase(finding: Finding, group: string): string {
  const { title, about, classname = group, durationMs, file } = finding;
  const name = shorten(about === undefined ? title : `${title} (${about})`, 500);
  const attributes = { name, classname, time: seconds(durationMs), ...(file !== undefined && { file }) };
  return `    ${element('testcase', attributes, outcomeOf(finding))}\n`;
}

function counts(findings: readonly Finding[]): Attributes {
  const of = (...wanted: Finding['outcome'][]) => findings.filter(({ outcome }) => wanted.includes(outcome)).length;
  return { tests: findings.length, failures: of('failed'), errors: of('error'), skipped: of('pending', 'skipped') };
}

/** The groups of a report, and one more for what could not be done. */
function suitesOf({ groups, unfinished = [] }: Report): Group[] {
  if (unfinished.length === 0) return [...groups];
  const findings = unfinished.map((why): Finding => {
    const title = shorten(why, 500);
    return { outcome: 'error', title, message: title, type: 'not done' };
  });
  return [...groups, { title: 'not done', findings }];
}

/** Formats reports of a tool as JUnit XML for GitLab, Jenkins and GitHub actions: one suite per group. */
export function junitReport(reports: readonly Report[]): string {
  const suites = reports.flatMap((report) =>
    suitesOf(report).map((group) => {
      const timestamp = report.startedAt?.replace(/(\.\d+)?Z$/, '');
      const ms = group.durationMs ?? group.findings.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0);
      const attributes = { name: group.title, ...counts(group.findings), time: seconds(ms), ...(timestamp && { timestamp }) };
      const cases = group.findings.map((finding) => testcase(finding, group.title));
      return { group, text: `  ${element('testsuite', attributes, ['\n', ...cases, '  '])}\n` };
    }),
  );
  const attributes = {
    name: `passerelle ${reports[0]?.tool ?? ''}`,
    ...counts(findingsOf({ groups: suites.map(({ group }) => group) })),
    time: seconds(reports.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0)),
  };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', attributes, ['\n', ...suites.map(({ text }) => text)])}\n`;
}
