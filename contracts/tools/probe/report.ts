import { services } from '../../../spec/documents/services.ts';
import { isHarmless } from '../../../spec/gaps/harmless.ts';
import { type Finding, type Labelled, labelledOf, type Part, type Report } from '../reports/model.ts';
import { count, duration, shorten } from '../reports/plain.ts';
import { errorCommand, spotOfTest } from '../reports/workflow-command.ts';
import { besideName } from '../verification/beside.ts';
import { placesOf } from './differences.ts';
import type { Candidate, Dependency, Difference, ProbeReport } from './types.ts';

/** Those that nobody accepted, or until a day that is over. */
export const unaccepted = (found: readonly Dependency[]): Dependency[] => found.filter(({ standing }) => standing !== 'accepted');

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

/** The number of differences that a report shows of a dependency, with both sides. The others are named. */
const differencesShown = 3;

function findingOf(one: Dependency): Finding {
  const { alternatives, failedTests, reason, lastLines, standing } = one;
  const [{ id, settledBy, question, choice, text, advice, differences }] = alternatives;
  const kind = settledBy === 'owner' ? 'question' : 'dependency';
  const shown = kind === 'question' ? [] : differences.filter(hasSides).slice(0, differencesShown);
  const others = differences.filter((difference) => !shown.some((other) => other === difference)).map(({ where }) => where);
  const word = standing === 'accepted' ? standing : kind;
  const lines = labelledOf({
    document: documentWords(alternatives[0]),
    'our choice': choice,
    alternative: text,
    differs: others.join(', ') || undefined,
    instead: advice,
  });
  return {
    outcome: word === 'dependency' ? 'failed' : 'pending',
    word,
    title: id,
    about: standingText(one),
    parts: [{ title: question, lines }, ...shown.map(partOf)],
    lines: [['fails', (failedTests.length > 0 ? failedTests : [reason, ...lastLines.slice(-lastShown)]).join('\n')]],
  };
}

const hasSides = (one: Difference): one is Required<Difference> => one.before !== undefined && one.after !== undefined;

const placesShown = 5;

/** Shows the two sides of a difference: their statuses, and the headers and places in which they differ. */
function partOf({ where, before, after }: Required<Difference>): Part {
  const places = placesOf(before.body, after.body);
  const side = (label: string, of: 'before' | 'after'): Labelled => {
    const { status, headers } = of === 'before' ? before : after;
    const lines = [
      ...(status === undefined ? [] : [String(status)]),
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      ...places.slice(0, placesShown).map((place) => `${place.path && `${place.path}: `}${valueText(place[of])}`),
      ...(places.length > placesShown ? [`and ${count(places.length - placesShown, 'more place')}`] : []),
    ];
    return [label, lines.join('\n')];
  };
  return { title: `differs: ${where}`, sides: [side('our choice', 'before'), side('alternative', 'after')] };
}

const valueText = (value: unknown) => (value === undefined ? '(absent)' : shorten(JSON.stringify(value), 300));

export function probeReport(report: ProbeReport): Report {
  const { dependencies, questions, stopped } = report;
  const byGap = Map.groupBy(report.notExercised, ({ gap }) => gap);
  return {
    tool: 'probe',
    title: `Probe with ${report.apis.join(' and ')} of`,
    subject: report.command,
    summary: summaryLine(report),
    ...(stopped && { outcome: 'failed' }),
    groups: [
      { title: 'Dependencies that you can remove. They decide the exit code', findings: dependencies.map(findingOf) },
      {
        title: "Questions for the service's owner, which no code can settle. They do not decide the exit code",
        findings: questions.map(findingOf),
      },
    ].filter(({ findings }) => findings.length > 0),
    lists: [
      {
        title: 'Not exercised',
        items: [...byGap].map(([gap, own]) => `${gap}: ${own.map(({ alternative }) => alternative).join(', ')}`),
      },
      {
        title: 'Not reproducible: failed, and passed when it was run again, or in halves',
        items: report.notReproducible.map(({ alternatives, failedTests }) =>
          [shorten(alternatives.join(', '), 200), failedTests.slice(0, 3).join(', ')].filter(Boolean).join(': '),
        ),
      },
    ].filter(({ items }) => items.length > 0),
    next: nextStep(report),
    durationMs: report.durationMs,
  };
}

/**
 * Returns a workflow command of GitHub Actions for each dependency that nobody accepted, beside the first failing test whose name
 * says its file.
 */
export const probeAnnotations = ({ dependencies }: Pick<ProbeReport, 'dependencies'>): string[] =>
  unaccepted(dependencies).map(({ alternatives: [one], failedTests, reason }) => {
    const fails = failedTests.length > 0 ? failedTests.join(', ') : reason;
    const message = `${one.question}\nOur choice: ${one.choice}\nAlternative: ${one.text}\nInstead: ${one.advice}\nFails: ${fails}`;
    return errorCommand(`depends on ${one.id}`, message, failedTests.map((test) => spotOfTest(test)).find(Boolean));
  });

function summaryLine(report: ProbeReport): string {
  const { dependencies, questions, exercised, notExercised, coverage, runs, durationMs, stopped } = report;
  const ofThem = (found: readonly Dependency[]) => {
    const accepted = found.length - unaccepted(found).length;
    return accepted > 0 ? `, ${accepted} of them accepted` : '';
  };
  const choices =
    dependencies.length === 0 ? 'No dependency that you can remove' : `Depends on ${count(dependencies.length, 'choice')}`;
  const parts = [
    `${choices}${ofThem(dependencies)}`,
    `${count(questions.length, 'question')} for the service's owner${ofThem(questions)}`,
    `${exercised.length} of ${exercised.length + notExercised.length} alternatives exercised (${coverage} %)`,
    `${count(runs, 'run')} in ${duration(durationMs)}`,
  ];
  return `${stopped ? 'Stopped before the end, so there may be more. ' : ''}${parts.join('; ')}.`;
}

function nextStep({ dependencies, questions, notExercised, stopped }: ProbeReport): string {
  const entry = `${besideName}: {"assumptions": [{"gap", "reason", "expiry": "YYYY-MM-DD"}]}`;
  if (stopped) return 'run the same command again, or ask about less with --only.';
  if (unaccepted(dependencies).length > 0)
    return `change the code so that both choices pass, or accept a dependency in ${entry}.`;
  if (unaccepted(questions).length > 0)
    return `ask the service's owner, or the service itself with passerelle observe. An answer that is as our choice is noted in ${entry}.`;
  return notExercised.length > 0 ? 'tests of what is not exercised, for which the probe says nothing.' : 'nothing.';
}
