import { isDeepStrictEqual } from 'node:util';
import { services } from '../../contracts/documents/services.ts';
import { isHarmless } from '../../contracts/gaps/harmless.ts';
import { isRecord, type Json } from '../../contracts/json.ts';
import { Hider, secretsIn } from '../../contracts/tools/secrets.ts';
import { besideName } from '../../contracts/tools/verification/beside.ts';
import { count, duration, shorten } from '../../contracts/tools/verification/reports/plain.ts';
import type { Blameworthy, Candidate, Dependency, ProbeReport, Shown } from '../types.ts';

/** Those that nobody accepted, or until a day that is over. */
export const unaccepted = (found: readonly Dependency[]): Dependency[] => found.filter(({ standing }) => standing !== 'accepted');

/** What the two lists of a report are called. */
export const listTitles = {
  dependencies: 'Dependencies that you can remove. They decide the exit code',
  questions: "Questions for the service's owner, which no code can settle. They do not decide the exit code",
} as const;

/** `✗` for what makes the probe fail, `?` for a question, `~` for what was accepted. */
export const markOf = ({ standing, alternatives }: Dependency): '✗' | '?' | '~' =>
  standing === 'accepted' ? '~' : alternatives.some(({ settledBy }) => settledBy === 'owner') ? '?' : '✗';

/** Alternatives that a run passed under. Of a question's gap, not every alternative is run. */
export function passedUnder({ dependencies, questions, exercised }: ProbeReport): Candidate[] {
  const blamed = dependencies.flatMap(({ alternatives }) => alternatives.map(({ id }) => id));
  const asked = questions.flatMap(({ alternatives }) => alternatives.map(({ gap }) => gap));
  return exercised.filter(({ id, gap, settledBy }) => !blamed.includes(id) && !(settledBy === 'owner' && asked.includes(gap)));
}

export const titleOf = ({ alternatives }: Dependency): string => alternatives.map(({ id }) => id).join(' with ');

/** `Point of Sale Integration API, 4. Endpoints: "..."`, or that the document says nothing. */
function documentWords({ api, gap, section, quote }: Candidate): string {
  const { documentTitle } = services[api];
  if (isHarmless(gap)) return `${documentTitle}: forbids neither`;
  return quote === '' ? `${documentTitle}, ${section}: says nothing` : `${documentTitle}, ${section}: "${quote}"`;
}

export function standingText({ standing, acceptance }: Dependency): string {
  if (standing === 'accepted') return `accepted until ${acceptance?.expiry}: ${acceptance?.reason}`;
  if (standing === 'expired') return `its acceptance in ${besideName} expired on ${acceptance?.expiry}: ${acceptance?.reason}`;
  return 'new';
}

/** A script says last why it failed. */
const lastShown = 9;

/** The names of the failed tests, or else the last lines of the output. */
export const failureLines = ({ failedTests, lastLines, reason }: Dependency): string[] =>
  failedTests.length > 0 ? failedTests : [reason, ...lastLines.slice(-lastShown)];

/** What the register says of an alternative. */
export const registerLines = (one: Candidate): Line[] => [
  ['document', documentWords(one)],
  ['our choice', one.choice],
  ['alternative', one.text],
];

type Line = [label: string, text: string];

/** Operations whose replies are shown. The others are named. */
const differencesShown = 3;

/** What is known of an alternative under which tests fail. */
export function alternativeLines(one: Blameworthy): Line[] {
  const others = one.differences.slice(differencesShown).map(({ where }) => where);
  const lines: [label: string, text: string | undefined][] = [
    ['question', one.question],
    ...registerLines(one),
    ...one.differences.slice(0, differencesShown).flatMap(({ where, before, after }): typeof lines => [
      ['differs', where],
      ['  plain', before && shownText(before, after)],
      ['  otherwise', after && shownText(after, before)],
    ]),
    ['differs', others.length > 0 ? `also ${others.join(', ')}` : undefined],
    ['instead', one.advice],
  ];
  return lines.filter((line): line is Line => line[1] !== undefined);
}

type List = [title: string, items: string[]];

/** What a report lists after its findings, as far as there is any. */
export const otherLists = ({ notReproducible, noLongerNeeded }: ProbeReport): List[] => [
  [
    'Not reproducible: failed, and passed when it was run again',
    notReproducible.map(({ alternatives, failedTests }) =>
      [shorten(alternatives.join(', '), 200), failedTests.slice(0, 3).join(', ')].filter(Boolean).join(': '),
    ),
  ],
  [`No longer needed in ${besideName}`, noLongerNeeded.map(({ gap, reason, expiry }) => `${gap} (until ${expiry}): ${reason}`)],
];

/** The same with what no call exercised, in one text for each gap. */
export function listsOf(report: ProbeReport): List[] {
  const gaps = [...Map.groupBy(report.notExercised, ({ gap }) => gap)];
  const notExercised = gaps.map(([gap, own]) => `${gap}: ${own.map(({ alternative }) => alternative).join(', ')}`);
  const lists: List[] = [['Not exercised', notExercised], ...otherLists(report)];
  return lists.filter(([, items]) => items.length > 0);
}

const placesShown = 5;

/** A reply or webhook as text: its status, and the headers and the parts of the body in which the two differ. */
export function shownText(shown: Shown, other: Shown | undefined, between = ', '): string {
  const names = Object.keys(shown.headers).filter((name) => other && shown.headers[name] !== other.headers[name]);
  const places = other ? [...differingPlaces(shown.body, other.body, '')] : [valueText(shown.body)];
  const more = places.length - placesShown;
  const parts = [
    ...(shown.status === undefined ? [] : [String(shown.status)]),
    ...names.map((name) => `${name}: ${shown.headers[name]}`),
    ...places.slice(0, placesShown),
    ...(more > 0 ? [`and ${count(more, 'more place')}`] : []),
  ];
  return parts.length === 0 ? '(as in our choice)' : parts.join(between);
}

/** The places of a body where the other one differs, with their values. */
function* differingPlaces(one: unknown, other: unknown, path: string): Generator<string> {
  if (isDeepStrictEqual(one, other)) return;
  const areLists = Array.isArray(one) && Array.isArray(other) && one.length === other.length;
  const areRecords = isRecord(one) && isRecord(other);
  const [own = {}, its = {}]: Json[] = areLists || areRecords ? [{ ...(one as Json) }, { ...(other as Json) }] : [{}, {}];
  const names = new Set([...Object.keys(own), ...Object.keys(its)]);
  // Bodies without a common part are shown as they are.
  const isWhole = path === '' && areRecords && !names.values().some((name) => name in own && name in its);
  if (isWhole || !(areLists || areRecords)) yield `${path === '' ? '' : `${path}: `}${valueText(one)}`;
  else
    for (const name of names)
      yield* differingPlaces(own[name], its[name], areLists ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`);
}

function valueText(value: unknown): string {
  if (value === undefined) return '(absent)';
  if (Array.isArray(value) && value.length > 1)
    return `a list of ${value.length}, from ${shorten(JSON.stringify(value[0]), 120)}`;
  return shorten(JSON.stringify(value), 300);
}

/** What the probe tried of alternatives together. */
export function pairsText({ pairs: { met, all } }: ProbeReport): string {
  const about = 'Alternatives under which no test fails alone';
  if (all === 0) return `${about}: there are no two that a service could have together.`;
  const tried = met === all ? `All ${count(all, 'pair')}` : `${met} of ${count(all, 'pair')}`;
  return `${about}: ${tried} of them were tried together.`;
}

export function summaryLine(report: ProbeReport): string {
  const { dependencies, questions, exercised, coverage, runs, durationMs, stopped } = report;
  const ofThem = (found: readonly Dependency[]) => {
    const accepted = found.length - unaccepted(found).length;
    return accepted > 0 ? `, ${accepted} of them accepted` : '';
  };
  const parts = [
    dependencies.length === 0
      ? 'No dependency that you can remove'
      : `Depends on ${count(dependencies.length, 'choice')}${ofThem(dependencies)}`,
    `${count(questions.length, 'question')} for the service's owner${ofThem(questions)}`,
    `${exercised.length} of ${exercised.length + report.notExercised.length} alternatives exercised (${coverage} %)`,
    `${count(runs, 'run')} in ${duration(durationMs)}`,
  ];
  return `${stopped ? 'Stopped before the end, so there may be more. ' : ''}${parts.join('; ')}.`;
}

export function nextStep({ dependencies, questions, notExercised, stopped }: ProbeReport): string {
  const entry = `${besideName}: {"assumptions": [{"gap", "reason", "expiry": "YYYY-MM-DD"}]}`;
  if (stopped) return 'Next: run the same command again. It goes on from here.';
  if (unaccepted(dependencies).length > 0)
    return `Next: change the code so that both choices pass, or accept a dependency in ${entry}.`;
  if (unaccepted(questions).length > 0)
    return `Next: ask the service's owner, or the service itself with passerelle observe. An answer that is as our choice is noted in ${entry}.`;
  return notExercised.length > 0 ? 'Next: tests of what is not exercised, for which the probe says nothing.' : 'Next: nothing.';
}

/** The report without secrets that its command or its tests printed. */
export function withoutSecrets(report: ProbeReport): ProbeReport {
  const { command, dependencies, questions } = report;
  const { text } = new Hider(secretsIn([...dependencies, ...questions].flatMap(({ lastLines }) => lastLines)));
  const hidden = (found: readonly Dependency[]) =>
    found.map((one) => ({ ...one, failedTests: one.failedTests.map(text), lastLines: one.lastLines.map(text) }));
  return { ...report, command: text(command), dependencies: hidden(dependencies), questions: hidden(questions) };
}
