import { services } from '../contracts/documents/services.ts';
import { type Finding, labelledOf, type Outcome, type Report, worstFirst } from '../contracts/tools/reports/model.ts';
import { count, duration } from '../contracts/tools/reports/plain.ts';
import { errorCommand } from '../contracts/tools/reports/workflow-command.ts';
import { besideName, type Damage } from '../contracts/tools/verification/beside.ts';
import { textOf } from './failures.ts';
import { type Judgement, type StressFinding, type StressReport, type Verdict, verdicts } from './types.ts';

const titles: Readonly<Record<Damage, string>> = {
  twice: 'done twice',
  lost: 'lost, and no test fails',
  unkeyed: 'repeated without its key',
  'refused-again': 'repeated after a refusal',
  'too-soon': 'repeated before Retry-After',
  storm: 'repeated without end',
};

const titleOf = ({ where, damage }: StressFinding): string => `${where}: ${titles[damage]}`;

const linesOf = ({ id, failures, what, request, tests, advice, document }: StressFinding) =>
  labelledOf({ happens: what, request, under: failures.join(', '), tests, instead: advice, document, finding: id });

/** Findings that nobody accepted, or until a day that is over. */
export const unaccepted = ({ findings }: StressReport): StressFinding[] => findings.filter(({ isAccepted }) => !isAccepted);

function findingOf(one: StressFinding): Finding {
  const { damage, acceptance, isAccepted } = one;
  const standing = isAccepted ? 'accepted until' : 'its acceptance expired on';
  return {
    outcome: isAccepted ? 'pending' : 'failed',
    word: isAccepted ? 'accepted' : damage,
    title: titleOf(one),
    ...(acceptance && { about: `${standing} ${acceptance.expiry}: ${acceptance.reason}` }),
    lines: linesOf(one),
  };
}

const outcomes: Readonly<Record<Verdict, Outcome>> = {
  'silent damage': 'failed',
  'told its caller': 'pending',
  survived: 'passed',
};

/** The findings of a failure at an operation. */
const findingsUnder = ({ findings }: StressReport, { api, where, failure }: Judgement): StressFinding[] =>
  findings.filter((one) => one.api === api && one.where === where && one.failures.includes(failure));

/** How a failure at an operation counts: its findings count more than its verdict. */
function standingOf(report: StressReport, judgement: Judgement): Judgement & { outcome: Outcome; word: string } {
  const { verdict } = judgement;
  const own = findingsUnder(report, judgement);
  if (own.length === 0) return { ...judgement, outcome: outcomes[verdict], word: verdict };
  const isAccepted = own.every((one) => one.isAccepted);
  const words = verdict === 'silent damage' ? verdict : `${verdict}, with a finding`;
  return { ...judgement, outcome: isAccepted ? 'pending' : 'failed', word: isAccepted ? `${words} (accepted)` : words };
}

const rankOf = ({ outcome }: { outcome: Outcome }): number => worstFirst.indexOf(outcome);

/** What became of the calls of one operation: its failures, the worst first. */
function rowOf(where: string, own: readonly ReturnType<typeof standingOf>[]): Finding {
  const sorted = own.toSorted(
    (one, other) => rankOf(one) - rankOf(other) || verdicts.indexOf(one.verdict) - verdicts.indexOf(other.verdict),
  );
  const texts = [...Map.groupBy(sorted, ({ word }) => word)].map(([word, alike]) =>
    word === 'survived'
      ? `survived ${alike.length} of ${own.length}`
      : `${word}: ${alike.map(({ failure }) => failure).join(', ')}`,
  );
  const { outcome = 'passed', word = 'survived' } = sorted[0] ?? {};
  return { outcome, word, title: where, about: texts.join('; ') };
}

/** The rows of the table, the worst first. */
const rowsOf = (report: StressReport): Finding[] =>
  [
    ...Map.groupBy(
      report.judgements.map((one) => standingOf(report, one)),
      ({ where }) => where,
    ),
  ]
    .map(([where, own]) => rowOf(where, own))
    .sort((one, other) => rankOf(one) - rankOf(other));

const failuresPlayed = ({ judgements }: StressReport): string[] =>
  [...new Set(judgements.map(({ failure }) => failure))].map((failure) => `${failure}: ${textOf(failure)}`);

function nextStep(report: StressReport): string {
  const [worst] = unaccepted(report);
  if (report.stopped) return 'run the same command again, or less of it with --only.';
  if (worst === undefined) return 'nothing.';
  const [, operation] = worst.id.split('.');
  return `change the program, then play it again with --only ${operation},${worst.failures.join(',')}. Or accept it in ${besideName}: {"findings": [{"finding", "reason", "expiry": "YYYY-MM-DD"}]}.`;
}

/** The report of a stress test. */
export function stressReport(report: StressReport): Report {
  const { apis, command, findings, judgements, runs, durationMs, notUsed, noLongerNeeded, notes, stopped } = report;
  const of = (verdict: Verdict) => judgements.filter((one) => one.verdict === verdict).length;
  const accepted = findings.length - unaccepted(report).length;
  const summary = [
    findings.length === 0 ? 'No finding' : `${count(findings.length, 'finding')}${accepted > 0 ? `, ${accepted} accepted` : ''}`,
    `of ${count(judgements.length, 'failure')} ${of('survived')} survived, ${of('told its caller')} told the caller, ${of('silent damage')} with silent damage`,
    `${count(runs, 'run')} in ${duration(durationMs)}`,
  ].join('; ');
  return {
    tool: 'stress',
    title: `Stress with ${apis.join(' and ')} of`,
    subject: command,
    summary: `${stopped ? 'Stopped before the end, so there may be more. ' : ''}${summary}.`,
    ...(stopped && { outcome: 'failed' }),
    groups: [
      { title: 'What became of the calls', findings: rowsOf(report) },
      { title: 'Findings, the worst first. They decide the exit code', findings: findings.map(findingOf) },
    ].filter((group) => group.findings.length > 0),
    lists: [
      { title: 'Failures', items: failuresPlayed(report) },
      {
        title: `No longer needed in ${besideName}`,
        items: noLongerNeeded.map(({ finding, reason, expiry }) => `${finding} (until ${expiry}): ${reason}`),
      },
      { title: 'Not used by the tests', items: notUsed },
    ].filter(({ items }) => items.length > 0),
    notes: notes.map((note) => `Note: ${note}`),
    next: nextStep(report),
    durationMs,
  };
}

/** The same for JUnit: a test for each operation and failure. */
export function stressSuite(report: StressReport): Report {
  const findings = report.judgements.map((judgement): Finding => {
    const { where, failure } = judgement;
    const own = findingsUnder(report, judgement);
    const about = { title: `${where}: ${failure}`, classname: where };
    if (own.length === 0) return { outcome: 'passed', ...about };
    const message = own.map(titleOf).join('; ');
    if (own.every(({ isAccepted }) => isAccepted)) return { outcome: 'skipped', message: `accepted: ${message}`, ...about };
    return { outcome: 'failed', type: own[0]?.damage ?? '', message, lines: own.flatMap(linesOf), ...about };
  });
  return {
    ...stressReport(report),
    groups: [{ title: `passerelle stress ${report.apis.join(' ')}`, durationMs: report.durationMs, findings }],
  };
}

/** A workflow command of GitHub Actions for each finding. */
export const stressAnnotations = (report: StressReport): string[] =>
  unaccepted(report).map((one) =>
    errorCommand(`${services[one.api].title}: ${titleOf(one)}`, `${one.what}\nInstead: ${one.advice}\n${one.document}`),
  );
