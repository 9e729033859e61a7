import type { Gap } from '../../../spec/gaps/gap.ts';
import type { Finding, Outcome, Report } from '../reports/model.ts';
import { count } from '../reports/plain.ts';
import { gapsOf, type Observed, type ObservedEntry } from './file.ts';
import type { Verdict } from './verdict.ts';

/** The first call that showed something, and the number of the others. */
const seenIn = ({ times, calls }: { times: number; calls: readonly string[] }) =>
  `${calls[0]}${times > 1 ? ` and ${times - 1} more` : ''}`;

export function seenText({ verdict, alternatives, open, evidence }: ObservedEntry, gap: Gap): string {
  const wordsOf = (id: string) => `${id} (${gap.alternatives.find((one) => one.id === id)?.text ?? ''})`;
  const seen = evidence.map((one) => `${one.because} (${seenIn(one)})`).join('; ');
  if (verdict === 'not-looked-at') return `observe does not look at it. ${gap.notLookedAt ?? ''}`;
  if (verdict === 'not-seen') return 'No call and no webhook said anything about it.';
  if (verdict === 'contradictory') return `No single choice explains what was seen: ${seen}.`;
  if (verdict === 'confirmed') {
    const left = open.length === 0 ? '' : ` Not excluded yet: ${open.map(wordsOf).join(', ')}`;
    return `As we chose: ${seen}.${left}`;
  }
  if (alternatives.length === 0) return `Not as we chose, and no alternative of the register: ${seen}.`;
  return `The service chose ${alternatives.map(wordsOf).join(' or ')} Seen: ${seen}.`;
}

const outcomes: Readonly<Record<Verdict, Outcome>> = {
  confirmed: 'passed',
  refuted: 'failed',
  contradictory: 'failed',
  'not-seen': 'pending',
  'not-looked-at': 'pending',
};

/** The report of what was seen: each verdict that rests on something, and what contradicts the document. */
export function observedReport(observed: Observed): Report {
  const { api, entries, contradictions } = observed;
  const verdicts = gapsOf(api).flatMap((gap): Finding[] => {
    const entry = entries.find((one) => one.gap === gap.id && one.evidence.length > 0);
    return entry ? [{ outcome: outcomes[entry.verdict], title: gap.id, about: entry.verdict, text: seenText(entry, gap) }] : [];
  });
  const against = contradictions.map(
    ({ section, says, saw, ...counted }): Finding => ({
      outcome: 'failed',
      title: `contradicts the document, ${section}: "${says}"`,
      text: `${saw} (${seenIn(counted)})`,
    }),
  );
  const groups = [
    { title: 'Open questions', findings: verdicts },
    { title: 'Contradictions', findings: against },
  ].filter(({ findings }) => findings.length > 0);
  return { tool: 'observe', title: `Observation of ${api}`, summary: summaryOf(observed), groups };
}

export function summaryOf({ calls, webhooks, entries, contradictions, api }: Observed): string {
  const number = (verdict: Verdict) => entries.filter((one) => one.verdict === verdict).length;
  const verdicts = (['confirmed', 'refuted', 'contradictory'] as const).map((one) => `${number(one)} ${one}`).join(', ');
  const against = contradictions.length === 0 ? '' : ` ${count(contradictions.length, 'point')} of the document contradicted.`;
  const seen = webhooks === 0 ? count(calls, 'call') : `${count(calls, 'call')} and ${count(webhooks, 'webhook')}`;
  return `${seen}: of ${entries.length} open questions of ${api}, ${verdicts}, ${number('not-seen')} not seen, ${number('not-looked-at')} not looked at.${against}`;
}
