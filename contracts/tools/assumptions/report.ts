import { besideName } from '../verification/beside.ts';
import { count, plain, shorten } from '../verification/reports/plain.ts';
import type { Problem } from '../verification/result.ts';
import type { Assessment, AssumptionFinding, NotJudged } from './check.ts';

/** Returns the findings that make the check fail. */
export const overSpecified = (findings: readonly AssumptionFinding[]) =>
  findings.filter(({ verdict }) => verdict === 'over-specified');

/**
 * Formats the findings for a terminal, by interaction and gap, with a summary at the end. Text from pacts and replies is
 * cleaned with `plain`.
 */
export function assumptionsText(findings: readonly AssumptionFinding[], { notJudged, judged }: Judged = allJudged): string {
  const byInteraction = Map.groupBy(findings, titleOf);
  const parts = [...byInteraction].map(([title, own]) => {
    const byGap = Map.groupBy(own, ({ gap }) => gap.id);
    return [plain(title), ...[...byGap.values()].flatMap(linesOf)].join('\n');
  });
  const failed = notJudged.map((one) =>
    [
      plain(titleOf(one)),
      '  not judged: it does not verify',
      ...one.problems.slice(0, problemsShown).map((problem) => `    ${problemText(problem)}`),
    ].join('\n'),
  );
  return [...parts, ...failed, judged === 0 && notJudged.length > 0 ? nothingJudged : summary(findings, notJudged)].join('\n\n');
}

type Judged = Pick<Assessment, 'notJudged' | 'judged'>;
const allJudged: Judged = { notJudged: [], judged: 0 };

const nothingJudged =
  'Nothing could be judged: no interaction verifies with the reference implementation. Run passerelle verify first.';

/** An entry of the file beside pacts has no consumer. */
const titleOf = ({ source, consumer, description }: Pick<AssumptionFinding, 'source' | 'consumer' | 'description'>) =>
  consumer === '' ? `${source}: ${description}` : `${consumer} (${source}): ${description}`;

/** Formats the findings of one interaction about one gap. */
function linesOf(found: AssumptionFinding[]): string[] {
  const [first] = found;
  if (!first) return [];
  const { id, question, choice } = first.gap;
  const shown = plain(id);
  const until = first.entry && `in ${besideName} until ${first.entry.expiry}`;
  if (first.verdict === 'rests-on')
    return [`  rests on ${shown} (declared${until ? ` ${until}: ${plain(first.entry?.reason ?? '')}` : ''})`];
  if (first.verdict === 'expired') return [`  note: the entry of ${shown} expired on ${first.entry?.expiry}; remove it`];
  if (first.verdict === 'needless') return [`  note: declares ${shown}, but would pass under every other choice`];
  if (first.verdict === 'unknown-gap') return [`  note: declares ${shown}, which is not in the gap register`];
  return [
    first.entry
      ? `  over-specified: rests on ${shown}, whose entry in ${besideName} expired on ${first.entry.expiry}`
      : `  over-specified: rests on ${shown}, but does not declare it`,
    `    ${question} Assumed: ${choice}`,
    ...found.flatMap(({ alternative, problems }) => [
      `    would fail if: ${alternative}`,
      ...problems.slice(0, problemsShown).map((problem) => `      ${problemText(problem)}`),
      ...(problems.length > problemsShown ? [`      and ${problems.length - problemsShown} more`] : []),
    ]),
    `    Declare it with .reference('gap', '${shown}', '...') or loosen the matcher.`,
    ...(first.entry ? [`    Or set a later expiry, if the reason still holds: ${plain(first.entry.reason)}`] : []),
  ];
}

const problemsShown = 3;
const valueCharacters = 120;

function problemText({ kind, path, expected, actual, message }: Problem): string {
  const place = plain(path === undefined ? kind : `${kind === 'body' ? '' : `${kind} `}${path}`);
  if (expected === undefined && actual === undefined) return `${place}: ${short(message)}`;
  return `${place}: expected ${short(expected ?? 'nothing')}, actual ${short(actual ?? 'nothing')}`;
}

function summary(findings: readonly AssumptionFinding[], notJudged: readonly NotJudged[]): string {
  const bad = overSpecified(findings);
  const interactions = new Set(bad.map(({ source, description }) => `${source}\n${description}`)).size;
  const resting = new Set(findings.filter(({ verdict }) => verdict === 'rests-on').map(({ gap }) => gap.id)).size;
  const left = notJudged.length === 0 ? '' : `; ${count(notJudged.length, 'interaction')} not judged`;
  const declared = `${count(resting, 'assumption')} declared${left}`;
  if (interactions === 0) return `No interaction is over-specified; ${declared}.`;
  return `${count(interactions, 'interaction')} over-specified; ${declared}.`;
}

const short = (text: string) => shorten(plain(text), valueCharacters);
