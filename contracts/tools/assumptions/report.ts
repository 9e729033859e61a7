import { didYouMean } from '../../../gateway/base/nearest.ts';
import { gaps } from '../../../spec/gaps/gaps.ts';
import type { Finding, Group, Labelled, Report } from '../reports/model.ts';
import { count, plain, shorten } from '../reports/plain.ts';
import { besideName } from '../verification/beside.ts';
import type { Problem } from '../verification/result.ts';
import type { Assessment, AssumptionFinding, NotJudged } from './check.ts';

export const overSpecified = (findings: readonly AssumptionFinding[]) =>
  findings.filter(({ verdict }) => verdict === 'over-specified');

export function assumptionsReport({ findings, notJudged, judged }: Assessment): Report {
  const judgedGroups = [...Map.groupBy(findings, titleOf)].map(
    ([title, own]): Group => ({ title, findings: [...Map.groupBy(own, ({ gap }) => gap.id).values()].flatMap(findingOf) }),
  );
  const failed = notJudged.map((one): Group => {
    const lines = reasonsOf(one.problems);
    const outcome = one.pending ? 'pending' : 'error';
    return { title: titleOf(one), findings: [{ outcome, title: 'not judged: it does not verify', lines }] };
  });
  return {
    tool: 'assumptions',
    title: 'Assumptions of pacts',
    summary: judged === 0 && notJudged.length > 0 ? nothingJudged : summaryOf(findings, notJudged),
    groups: [...judgedGroups, ...failed],
  };
}

const gapIds = gaps.map(({ id }) => id);

const nothingJudged =
  'Nothing could be judged: no interaction verifies with the reference implementation. Run passerelle verify first.';

const titleOf = ({ source, consumer, description }: Pick<AssumptionFinding, 'source' | 'consumer' | 'description'>) =>
  `${consumer} (${source}): ${description}`;

function findingOf(found: AssumptionFinding[]): Finding[] {
  const [first] = found;
  if (!first) return [];
  const { verdict, entry, gap } = first;
  const { id, question, choice } = gap;
  if (verdict === 'rests-on') {
    const until = entry ? ` in ${besideName} until ${entry.expiry}: ${entry.reason}` : '';
    return [{ outcome: 'passed', title: `rests on ${id} (declared${until})` }];
  }
  if (verdict === 'unknown-gap')
    return [
      { outcome: 'skipped', title: `note: declares ${id}, which is not in the gap register`, text: didYouMean(id, gapIds) },
    ];
  const why = entry ? `whose entry in ${besideName} expired on ${entry.expiry}` : 'but does not declare it';
  const lines: Labelled[] = [
    ...found.flatMap(({ alternative, problems }): Labelled[] => [['fails if', alternative], ...reasonsOf(problems)]),
    ['instead', `Declare it with .reference('gap', '${id}', '...') or loosen the matcher.`],
    ...(entry ? [['or', `Set a later expiry, if the reason still holds: ${entry.reason}`] as const] : []),
  ];
  const text = `${question} Assumed: ${choice}`;
  return [{ outcome: 'failed', title: `over-specified: rests on ${id}, ${why}`, text, lines }];
}

const problemsShown = 3;

function reasonsOf(problems: readonly Problem[]): Labelled[] {
  const more = problems.length - problemsShown;
  const reasons = problems.slice(0, problemsShown).map((problem): Labelled => ['because', problemText(problem)]);
  return more > 0 ? [...reasons, ['because', `and ${more} more`]] : reasons;
}

function problemText({ kind, path, expected, actual, message }: Problem): string {
  const place = path === undefined ? kind : `${kind === 'body' ? '' : `${kind} `}${path}`;
  if (expected === undefined && actual === undefined) return `${place}: ${short(message)}`;
  return `${place}: expected ${short(expected ?? 'nothing')}, actual ${short(actual ?? 'nothing')}`;
}

function summaryOf(findings: readonly AssumptionFinding[], notJudged: readonly NotJudged[]): string {
  const bad = overSpecified(findings);
  const interactions = new Set(bad.map(({ source, description }) => `${source}\n${description}`)).size;
  const resting = new Set(findings.filter(({ verdict }) => verdict === 'rests-on').map(({ gap }) => gap.id)).size;
  const left = notJudged.length === 0 ? '' : `; ${count(notJudged.length, 'interaction')} not judged`;
  const declared = `${count(resting, 'assumption')} declared${left}`;
  if (interactions === 0) return `No interaction is over-specified; ${declared}.`;
  return `${count(interactions, 'interaction')} over-specified; ${declared}.`;
}

const short = (text: string) => shorten(plain(text), 120);
