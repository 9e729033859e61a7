import type { InteractionResult, Problem, Verification } from '../result.ts';
import { count, plainLines, shorten } from './plain.ts';
import { byConsumer, exchanged, placeOf, problemsShown, statesText, tally } from './summary.ts';

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

function element(name: string, attributes: Attributes, content: readonly string[] = []): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${xmlText(String(value))}"`);
  const opening = `<${name}${written.join('')}`;
  return content.length === 0 ? `${opening}/>` : `${opening}>${content.join('')}</${name}>`;
}

const seconds = (ms: number) => (ms / 1000).toFixed(3);

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
  const { problems } = result;
  const rest = problems.length - problemsShown;
  const shown = problems.slice(0, problemsShown).map(problemText);
  const seen = exchanged(result).map(([label, text]) => `${label}: ${text}`);
  return [...shown, ...(rest > 0 ? [count(rest, 'more problem')] : []), ...seen].join('\n\n');
}

function outcomeElement(result: InteractionResult): string[] {
  const [first] = result.problems;
  const message = first === undefined ? result.outcome : `${placeOf(first)}: ${shorten(first.message, 200)}`;
  const content = [`\n${xmlText(problemsText(result)).replaceAll('&#10;', '\n')}\n`];
  if (result.outcome === 'failed') return [element('failure', { message, type: first?.kind ?? 'failed' }, content)];
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
  return `    ${element('testcase', attributes, outcomeElement(result))}\n`;
}

function counts(interactions: readonly InteractionResult[]): Attributes {
  const { failed, pending } = tally(interactions);
  return { tests: interactions.length, failures: failed, errors: 0, skipped: pending };
}

/** Formats the verifications as JUnit XML for GitLab, Jenkins and GitHub actions: one suite per consumer and provider. */
export function junitReport(verifications: readonly Verification[]): string {
  const interactions = verifications.flatMap((one) => one.interactions);
  const time = seconds(verifications.reduce((sum, { durationMs }) => sum + durationMs, 0));
  const attributes = { name: 'passerelle verify', ...counts(interactions), time };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', attributes, ['\n', ...verifications.flatMap(suites)])}\n`;
}

function suites(verification: Verification): string[] {
  const timestamp = verification.startedAt.replace(/(\.\d+)?Z$/, '');
  return byConsumer(verification).map(([consumer, results]) => {
    const time = seconds(results.reduce((sum, result) => sum + result.durationMs, 0));
    const attributes = { name: `${consumer} with ${verification.provider}`, ...counts(results), time, timestamp };
    return `  ${element('testsuite', attributes, ['\n', ...results.map(testcase), '  '])}\n`;
  });
}
