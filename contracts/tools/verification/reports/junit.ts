import type { InteractionResult, Problem, Verification } from '../result.ts';
import { plainLines, shorten } from './plain.ts';
import { byConsumer, exchanged, placeOf, shownProblems, statesText, tally } from './summary.ts';

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
export function xmlText(text: string): string {
  return plainLines(text)
    .join('\n')
    .replaceAll(/[&<>"'\n]/g, (character) => entities[character] ?? '');
}

type Attributes = Record<string, string | number>;

export function element(name: string, attributes: Attributes, content: readonly string[] = []): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${xmlText(String(value))}"`);
  const opening = `<${name}${written.join('')}`;
  return content.length === 0 ? `${opening}/>` : `${opening}>${content.join('')}</${name}>`;
}

export const seconds = (ms: number) => (ms / 1000).toFixed(3);

/** A suite as a part of the file. */
export const suiteElement = (attributes: Attributes, cases: readonly string[]): string =>
  `  ${element('testsuite', attributes, ['\n', ...cases.map((one) => `    ${one}\n`), '  '])}\n`;

/** The text of a file with these suites. */
export const junitFile = (attributes: Attributes, suites: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', attributes, ['\n', ...suites])}\n`;

function problemText(problem: Problem): string {
  const { message, expected, actual, documented, gap } = problem;
  return [
    `${placeOf(problem)}: ${shorten(message, charactersShown)}`,
    ...(expected === undefined ? [] : [`  expected: ${shorten(expected, charactersShown)}`]),
    ...(actual === undefined ? [] : [`  actual:   ${shorten(actual, charactersShown)}`]),
    ...(documented ? [`  document: ${documented.document}, ${documented.section}: ${documented.says}`] : []),
    ...(gap ? [`  gap:      ${gap.id}: ${gap.question} Chosen: ${gap.choice}`] : []),
  ].join('\n');
}

function problemsText(result: InteractionResult): string {
  const { shown, others } = shownProblems(result);
  const seen = exchanged(result).map(([label, text]) => `${label}: ${text}`);
  return [...shown.map(problemText), ...others, ...seen].join('\n\n');
}

function outcomeElement(result: InteractionResult): string[] {
  const [first] = result.problems;
  const message = first === undefined ? result.outcome : `${placeOf(first)}: ${shorten(first.message, 200)}`;
  const content = [`\n${xmlText(problemsText(result)).replaceAll('&#10;', '\n')}\n`];
  const failure = result.couldNotRun ? 'error' : 'failure';
  if (result.outcome === 'failed') return [element(failure, { message, type: first?.kind ?? 'failed' }, content)];
  if (result.outcome === 'pending')
    return [element('skipped', { message: `pending: ${message}` }), element('system-out', {}, content)];
  return [];
}

function testcase(result: InteractionResult): string {
  const states = statesText(result);
  const name = states === '' ? result.description : `${result.description} (given ${states})`;
  const attributes = {
    name: shorten(name, 500),
    classname: result.consumer,
    time: seconds(result.durationMs),
    file: result.source,
  };
  return element('testcase', attributes, outcomeElement(result));
}

function counts(interactions: readonly InteractionResult[], unfinished: readonly string[] = []): Attributes {
  const { failed, pending } = tally(interactions);
  const errors = interactions.filter(({ outcome, couldNotRun }) => outcome === 'failed' && couldNotRun).length;
  return {
    tests: interactions.length + unfinished.length,
    failures: failed - errors,
    errors: errors + unfinished.length,
    skipped: pending,
  };
}

/** Formats the verifications as JUnit XML for GitLab, Jenkins and GitHub actions: one suite per consumer and provider. */
export function junitReport(verifications: readonly Verification[]): string {
  const interactions = verifications.flatMap((one) => one.interactions);
  const unfinished = verifications.flatMap((one) => one.unfinished);
  const time = seconds(verifications.reduce((sum, { durationMs }) => sum + durationMs, 0));
  const attributes = { name: 'passerelle verify', ...counts(interactions, unfinished), time };
  return junitFile(attributes, verifications.flatMap(suites));
}

function suites(verification: Verification): string[] {
  const timestamp = verification.startedAt.replace(/(\.\d+)?Z$/, '');
  const suite = (name: string, of: Attributes, durationMs: number, cases: readonly string[]) =>
    suiteElement({ name: `${name} with ${verification.provider}`, ...of, time: seconds(durationMs), timestamp }, cases);
  const consumers = byConsumer(verification).map(([consumer, results]) => {
    const durationMs = results.reduce((sum, result) => sum + result.durationMs, 0);
    return suite(consumer, counts(results), durationMs, results.map(testcase));
  });
  const { unfinished } = verification;
  return unfinished.length === 0
    ? consumers
    : [...consumers, suite('not done', counts([], unfinished), 0, unfinished.map(unfinishedCase))];
}

function unfinishedCase(line: string): string {
  const name = shorten(line, 500);
  return element('testcase', { name, classname: 'not done', time: seconds(0) }, [
    element('error', { message: name, type: 'not done' }),
  ]);
}
