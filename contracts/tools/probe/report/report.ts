import { isDeepStrictEqual } from 'node:util';
import { services } from '../../../../spec/documents/services.ts';
import { isHarmless } from '../../../../spec/gaps/harmless.ts';
import { isRecord, type Json } from '../../../../spec/json.ts';
import type { Finding, Labelled, Part, Report } from '../../reports/model.ts';
import { count, duration, shorten } from '../../reports/plain.ts';
import { Hider, secretsIn } from '../../secrets.ts';
import { besideName } from '../../verification/beside.ts';
import type { Blameworthy, Candidate, Dependency, Difference, ProbeReport, Shown } from '../types.ts';

/** Those that nobody accepted, or until a day that is over. */
export const unaccepted = (found: readonly Dependency[]): Dependency[] => found.filter(({ standing }) => standing !== 'accepted');

/**
 * Alternatives under which a run passed. The alternatives of a gap with a question are left out, because not all of them are run.
 */
function passedUnder({ dependencies, questions, exercised }: ProbeReport): Candidate[] {
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

function standingText({ standing, acceptance }: Dependency): string {
  if (standing === 'accepted') return `accepted until ${acceptance?.expiry}: ${acceptance?.reason}`;
  if (standing === 'expired') return `its acceptance in ${besideName} expired on ${acceptance?.expiry}: ${acceptance?.reason}`;
  return 'new';
}

/** A script says last why it failed. */
const lastShown = 9;

/** The names of the failed tests, or else the last lines of the output. */
const failureLines = ({ failedTests, lastLines, reason }: Dependency): string[] =>
  failedTests.length > 0 ? failedTests : [reason, ...lastLines.slice(-lastShown)];

function differenceOf({ where, before, after }: Difference): Part {
  const title = `differs: ${where}`;
  if (!before && !after) return { title };
  const sides = [
    ['our choice', before && shownText(before, after)],
    ['alternative', after && shownText(after, before)],
  ] as const;
  return { title, sides };
}

/** What is known of an alternative under which tests fail, with this number of differences. The others are named. */
function partsOf(one: Blameworthy, differencesShown: number): Part[] {
  const others = one.differences.slice(differencesShown).map(({ where }) => where);
  const register: Labelled[] = [
    ['document', documentWords(one)],
    ['our choice', one.choice],
    ['alternative', one.text],
    ...(others.length > 0 ? [['differs', others.join(', ')] as const] : []),
    ['instead', one.advice],
  ];
  return [{ title: one.question, lines: register }, ...one.differences.slice(0, differencesShown).map(differenceOf)];
}

function findingOf(one: Dependency, outcome: 'failed' | 'pending', differencesShown: number): Finding {
  return {
    outcome: one.standing === 'accepted' ? 'pending' : outcome,
    word: one.standing === 'accepted' ? 'accepted' : outcome === 'failed' ? 'dependency' : 'question',
    title: titleOf(one),
    about: standingText(one),
    ...(one.alternatives.length > 1 && { text: 'Each alone passes. They fail together.' }),
    parts: one.alternatives.flatMap((alternative) => partsOf(alternative, differencesShown)),
    lines: [['fails', failureLines(one).join('\n')]],
  };
}

const otherLists = ({ notReproducible, noLongerNeeded }: ProbeReport) => [
  {
    title: 'Not reproducible: failed, and passed when it was run again',
    items: notReproducible.map(({ alternatives, failedTests }) =>
      [shorten(alternatives.join(', '), 200), failedTests.slice(0, 3).join(', ')].filter(Boolean).join(': '),
    ),
  },
  {
    title: `No longer needed in ${besideName}`,
    items: noLongerNeeded.map(({ gap, reason, expiry }) => `${gap} (until ${expiry}): ${reason}`),
  },
];

/** The alternatives that no call exercised, in one text for each gap. */
const notExercised = (report: ProbeReport) =>
  [...Map.groupBy(report.notExercised, ({ gap }) => gap)].map(
    ([gap, own]) => `${gap}: ${own.map(({ alternative }) => alternative).join(', ')}`,
  );

const candidateText = ({ id, text }: Candidate) => `${id}: ${text}`;

/** The number of differences that a terminal and Markdown show for each dependency and question. */
const brief = { dependencies: 3, questions: 0 };

/** The report of a probe. On a page, `differences` and lists are whole. */
export function probeReport(report: ProbeReport, isWhole = false): Report {
  const { dependencies, questions, command, apis, notes, seed, durationMs, stopped } = report;
  const shown = isWhole ? { dependencies: Number.POSITIVE_INFINITY, questions: Number.POSITIVE_INFINITY } : brief;
  return {
    tool: 'probe',
    title: `Probe with ${apis.join(' and ')} of`,
    subject: command,
    summary: summaryLine(report),
    ...(stopped && { outcome: 'failed' }),
    groups: [
      {
        title: 'Dependencies that you can remove. They decide the exit code',
        findings: dependencies.map((one) => findingOf(one, 'failed', shown.dependencies)),
      },
      {
        title: "Questions for the service's owner, which no code can settle. They do not decide the exit code",
        findings: questions.map((one) => findingOf(one, 'pending', shown.questions)),
      },
    ].filter(({ findings }) => findings.length > 0),
    lists: [
      ...(isWhole ? [{ title: 'Exercised without a failure', items: passedUnder(report).map(candidateText) }] : []),
      { title: 'Not exercised', items: isWhole ? report.notExercised.map(candidateText) : notExercised(report) },
      ...otherLists(report),
    ].filter(({ items }) => items.length > 0),
    notes: [...notes.map((note) => `Note: ${note}`), pairsText(report), `Seed: ${seed}`],
    next: nextStep(report),
    durationMs,
  };
}

/**
 * The same for JUnit: a test for each alternative. Accepted dependencies, questions, and alternatives that were not exercised are
 * skipped.
 */
export function probeSuite(report: ProbeReport): Report {
  const blamed = new Map(report.dependencies.flatMap((one) => one.alternatives.map(({ id }) => [id, one] as const)));
  const passed = new Set(passedUnder(report).map(({ id }) => id));
  const exercised = new Set(report.exercised.map(({ id }) => id));
  const findings = [...report.exercised, ...report.notExercised].map((one): Finding => {
    const { id, gap } = one;
    const dependency = blamed.get(id);
    const about = { title: candidateText(one), classname: gap };
    if (!exercised.has(id)) return { outcome: 'skipped', message: 'not exercised', ...about };
    if (passed.has(id)) return { outcome: 'passed', ...about };
    if (dependency === undefined) return { outcome: 'skipped', message: questionText(report, gap), ...about };
    if (dependency.standing === 'accepted') return { outcome: 'skipped', message: standingText(dependency), ...about };
    const message = `tests fail under ${titleOf(dependency)} (${standingText(dependency)})`;
    const { parts = [], lines = [] } = findingOf(dependency, 'failed', brief.dependencies);
    return { outcome: 'failed', type: 'dependency', message, parts, lines, ...about };
  });
  return {
    ...probeReport(report),
    groups: [{ title: `passerelle probe ${report.apis.join(' ')}`, durationMs: report.durationMs, findings }],
  };
}

function questionText({ questions }: ProbeReport, gap: string): string {
  const own = questions.filter(({ alternatives }) => alternatives.some((one) => one.gap === gap));
  const [{ question = '' } = {}] = own.flatMap(({ alternatives }) => alternatives.filter((one) => one.gap === gap));
  return `question for the service's owner: ${question} Depends on it: ${own.flatMap(failureLines).join(', ')}`;
}

const placesShown = 5;

/** A reply or webhook as text: its status, and the headers and the parts of the body in which the two differ. */
function shownText(shown: Shown, other: Shown | undefined): string {
  const names = Object.keys(shown.headers).filter((name) => other && shown.headers[name] !== other.headers[name]);
  const places = other ? [...differingPlaces(shown.body, other.body, '')] : [valueText(shown.body)];
  const more = places.length - placesShown;
  const parts = [
    ...(shown.status === undefined ? [] : [String(shown.status)]),
    ...names.map((name) => `${name}: ${shown.headers[name]}`),
    ...places.slice(0, placesShown),
    ...(more > 0 ? [`and ${count(more, 'more place')}`] : []),
  ];
  return parts.length === 0 ? '(as in our choice)' : parts.join('\n');
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

function pairsText({ pairs: { met, all } }: ProbeReport): string {
  const about = 'Alternatives under which no test fails alone';
  if (all === 0) return `${about}: there are no two that a service could have together.`;
  const tried = met === all ? `All ${count(all, 'pair')}` : `${met} of ${count(all, 'pair')}`;
  return `${about}: ${tried} of them were tried together.`;
}

function summaryLine(report: ProbeReport): string {
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

function nextStep({ dependencies, questions, notExercised, stopped }: ProbeReport): string {
  const entry = `${besideName}: {"assumptions": [{"gap", "reason", "expiry": "YYYY-MM-DD"}]}`;
  if (stopped) return 'run the same command again. It goes on from here.';
  if (unaccepted(dependencies).length > 0)
    return `change the code so that both choices pass, or accept a dependency in ${entry}.`;
  if (unaccepted(questions).length > 0)
    return `ask the service's owner, or the service itself with passerelle observe. An answer that is as our choice is noted in ${entry}.`;
  return notExercised.length > 0 ? 'tests of what is not exercised, for which the probe says nothing.' : 'nothing.';
}

/** The report without secrets that its command or its tests printed. */
export function withoutSecrets(report: ProbeReport): ProbeReport {
  const { command, dependencies, questions } = report;
  const { text } = new Hider(secretsIn([...dependencies, ...questions].flatMap(({ lastLines }) => lastLines)));
  const hidden = (found: readonly Dependency[]) =>
    found.map((one) => ({ ...one, failedTests: one.failedTests.map(text), lastLines: one.lastLines.map(text) }));
  return { ...report, command: text(command), dependencies: hidden(dependencies), questions: hidden(questions) };
}
