import { npxCommand, services } from '../contracts/documents/services.ts';
import { type Finding, labelledOf, type Report } from '../contracts/tools/reports/model.ts';
import { count, duration } from '../contracts/tools/reports/plain.ts';
import { errorCommand } from '../contracts/tools/reports/workflow-command.ts';
import { Hider, secretsIn } from '../contracts/tools/secrets.ts';
import { besideName } from '../contracts/tools/verification/beside.ts';
import type { Judgement, MutateReport, TriedMutant, Verdict } from './types.ts';

/** Unnoticed behaviours that nobody accepted, or until a day that is over. */
export const unaccepted = ({ judgements }: MutateReport): Judgement[] =>
  judgements.filter(({ verdict, isAccepted }) => verdict === 'unnoticed' && !isAccepted);

const ofVerdict = ({ judgements }: Pick<MutateReport, 'judgements'>, wanted: Verdict) =>
  judgements.filter(({ verdict }) => verdict === wanted);

const firstOf = ({ tried }: Judgement): TriedMutant => tried[0] ?? { id: '', text: '', test: '', isNoticed: false, by: [] };

/** The results of the further changes, which are easier to notice than the first one. */
const furtherOf = ({ tried }: Judgement): string =>
  tried
    .slice(1)
    .map((one) => {
      const how = one.isNoticed ? `noticed by ${one.by.join(', ')}` : (doubtOf(one) ?? 'unnoticed too');
      return `${one.text.replace(/\.$/, '')}: ${how}.`;
    })
    .join(' ');

const doubtOf = ({ isNoticed, by }: TriedMutant): string | undefined =>
  isNoticed || by.length === 0 ? undefined : `uncertain, because plain runs fail too (${by.join(', ')})`;

function tryOf({ apis, runOptions, command }: MutateReport, assume: string): string {
  const line = [npxCommand, 'run', ...apis, '--assume', assume, ...(runOptions && [runOptions]), '--', command].join(' ');
  return new Hider(secretsIn(line)).text(line);
}

const linesOf = (one: Judgement, report: MutateReport) =>
  labelledOf({
    'without it': firstOf(one).text,
    noticed: doubtOf(firstOf(one)),
    further: furtherOf(one) || undefined,
    shown: one.where.join(', '),
    document: one.document,
    'the same': one.also.join(', ') || undefined,
    test: firstOf(one).test,
    'try it': tryOf(report, firstOf(one).id),
  });

function findingOf(one: Judgement, report: MutateReport): Finding {
  const { acceptance, isAccepted } = one;
  const standing = isAccepted ? 'accepted until' : 'its acceptance expired on';
  return {
    outcome: isAccepted ? 'pending' : 'failed',
    word: isAccepted ? 'accepted' : doubtOf(firstOf(one)) ? 'uncertain' : 'unnoticed',
    title: one.id,
    ...(acceptance && { about: `${standing} ${acceptance.expiry}: ${acceptance.reason}` }),
    lines: linesOf(one, report),
  };
}

/** By the word of their findings. */
const groupTitles = {
  unnoticed: 'No test fails without these. They decide the exit code',
  uncertain: 'Tests fail without these, but in plain runs too. They decide the exit code',
  accepted: 'Accepted',
};

const testsShown = 3;

function noticedText(one: Judgement): string {
  const { by } = firstOf(one);
  const more = by.length > testsShown ? ` and ${by.length - testsShown} more` : '';
  return `${one.id}: ${by.slice(0, testsShown).join(', ')}${more}`;
}

function nextStep(report: MutateReport): string {
  const open = unaccepted(report);
  const worst = open.find((one) => !doubtOf(firstOf(one)));
  if (report.stopped) return 'run the same command again, or less of it with --only.';
  if (open.length === 0) return 'nothing.';
  if (worst === undefined) return 'mend the tests that fail in plain runs too, then run the same command again.';
  return `write the test, then run it again with --only ${worst.id}. Or accept it in ${besideName}: {"unnoticed": [{"behaviour", "reason", "expiry": "YYYY-MM-DD"}]}.`;
}

/** The report of which behaviours the tests do not notice. */
export function mutateReport(report: MutateReport): Report {
  const { apis, command, judgements, runs, durationMs, noLongerNeeded, notes, stopped, notTakenAway } = report;
  const unnoticed = ofVerdict(report, 'unnoticed');
  const idle = ofVerdict(report, 'not exercised');
  const accepted = unnoticed.length - unaccepted(report).length;
  const findings = unnoticed.map((one) => findingOf(one, report));
  const uncertain = findings.filter(({ word }) => word === 'uncertain').length;
  const summary = [
    `${ofVerdict(report, 'noticed').length} of ${count(judgements.length, 'behaviour')}: your tests fail without them`,
    `${idle.length} not exercised`,
    `${unnoticed.length} exercised and unnoticed${uncertain > 0 ? `, ${uncertain} uncertain` : ''}${accepted > 0 ? `, ${accepted} accepted` : ''}`,
    `${count(runs, 'run')} in ${duration(durationMs)}`,
  ].join('; ');
  return {
    tool: 'mutate',
    title: `Mutate ${apis.join(' and ')} under`,
    subject: command,
    summary: `${stopped ? 'Stopped before the end, so there may be more. ' : ''}${summary}.`,
    ...(stopped && { outcome: 'failed' }),
    groups: Object.entries(groupTitles)
      .map(([word, title]) => ({ title, findings: findings.filter((one) => one.word === word) }))
      .filter((group) => group.findings.length > 0),
    lists: [
      { title: 'Noticed, and by which tests', items: ofVerdict(report, 'noticed').map(noticedText) },
      { title: 'Not exercised: no call or webhook of the tests shows them', items: idle.map(({ id }) => id) },
      { title: 'Not taken away', items: notTakenAway.map(({ id, reason }) => `${id}: ${reason}`) },
      {
        title: `No longer needed in ${besideName}`,
        items: noLongerNeeded.map(({ behaviour, reason, expiry }) => `${behaviour} (until ${expiry}): ${reason}`),
      },
    ].filter(({ items }) => items.length > 0),
    notes: notes.map((note) => `Note: ${note}`),
    next: nextStep(report),
    durationMs,
  };
}

/** The same for JUnit: a test for each behaviour. */
export function mutateSuite(report: MutateReport): Report {
  const findings = report.judgements.map((one): Finding => {
    const about = { title: one.id, classname: one.api };
    if (one.verdict === 'noticed') return { outcome: 'passed', ...about };
    if (one.verdict === 'not exercised') return { outcome: 'skipped', message: 'not exercised', ...about };
    const message = `${doubtOf(firstOf(one)) ? 'It is uncertain if tests notice its loss' : 'No test fails without it'}: ${firstOf(one).text}`;
    if (one.isAccepted) return { outcome: 'skipped', message: `accepted: ${message}`, ...about };
    return { outcome: 'failed', type: 'unnoticed', message, lines: linesOf(one, report), ...about };
  });
  return {
    ...mutateReport(report),
    groups: [{ title: `passerelle mutate ${report.apis.join(' ')}`, durationMs: report.durationMs, findings }],
  };
}

/** A workflow command of GitHub Actions for each unnoticed behaviour. */
export const mutateAnnotations = (report: MutateReport): string[] =>
  unaccepted(report).map((one) =>
    errorCommand(
      `${services[one.api].title}: no test notices that ${one.id} is lost`,
      `${firstOf(one).text}\nTest: ${firstOf(one).test}\n${one.document}`,
    ),
  );
