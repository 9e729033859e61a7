import { type Gap, gapsOf } from '../../../spec/gaps/gaps.ts';
import type { Outcome, Report } from '../reports/model.ts';
import { count } from '../reports/plain.ts';
import type { Observed, ObservedEntry } from './file.ts';
import type { Verdict } from './finding.ts';

export function seenText({ verdict, alternatives, open, evidence }: ObservedEntry, gap: Gap): string {
  const wordsOf = (id: string) => `${id} (${gap.alternatives.find((one) => one.id === id)?.text ?? ''})`;
  const timesOf = (times: number) => (times > 1 ? ` and ${times - 1} more` : '');
  const seen = evidence.map(({ because, calls, times }) => `${because} (${calls[0]}${timesOf(times)})`).join('; ');
  if (verdict === 'ask-owner') return `observe cannot see it in single calls, so ask the service’s owner: ${gap.question}`;
  if (verdict === 'not-seen') return 'No call and no webhook said anything about it.';
  if (verdict === 'contradictory') return `No single choice explains what was seen: ${seen}.`;
  if (verdict === 'confirmed') {
    const left = open.length === 0 ? '' : ` Not excluded yet: ${open.map(wordsOf).join(', ')}`;
    return `As we chose: ${seen}.${left}`;
  }
  return `The service chose ${alternatives.map(wordsOf).join(' or ')} Seen: ${seen}.`;
}

const outcomes: Readonly<Record<Verdict, Outcome>> = {
  confirmed: 'passed',
  refuted: 'failed',
  contradictory: 'failed',
  'not-seen': 'pending',
  'ask-owner': 'pending',
};

/** The report of what was seen, and the questions that only the service's owner can answer. */
export function observedReport(observed: Observed): Report {
  const gaps = gapsOf(observed.api).map((gap, at) => ({ gap, entry: observed.entries[at] as ObservedEntry }));
  const seen = gaps
    .filter(({ entry }) => entry.evidence.length > 0)
    .map(({ gap, entry: { verdict, ...one } }) => {
      return { outcome: outcomes[verdict], title: gap.id, about: verdict, text: seenText({ verdict, ...one }, gap) };
    });
  const asked = gaps
    .filter(({ entry }) => entry.verdict === 'ask-owner')
    .map(({ gap }) => ({ outcome: outcomes['ask-owner'], title: gap.id, text: gap.question }));
  const groups = [
    { title: 'Open questions', findings: seen },
    { title: 'Ask the service’s owner', findings: asked },
  ].filter(({ findings }) => findings.length > 0);
  return { tool: 'observe', title: `Observation of ${observed.api}`, summary: summaryOf(observed), groups };
}

export function summaryOf({ calls, webhooks, entries, api }: Observed): string {
  const verdicts = (Object.keys(outcomes) as Verdict[]).map(
    (verdict) =>
      `${entries.filter((one) => one.verdict === verdict).length} ${verdict === 'ask-owner' ? 'to ask the owner' : verdict.replace('-', ' ')}`,
  );
  const seen = webhooks === 0 ? count(calls, 'call') : `${count(calls, 'call')} and ${count(webhooks, 'webhook')}`;
  return `${seen}: of ${entries.length} open questions of ${api}, ${verdicts.join(', ')}.`;
}
