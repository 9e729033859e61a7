import type { Gap } from '../../gaps/gap.ts';
import { count, wrap } from '../verification/reports/plain.ts';
import { palette, type TextOptions } from '../verification/reports/text.ts';
import { gapsOf, type Observed, type ObservedEntry } from './file.ts';
import type { Verdict } from './verdict.ts';

/** The first call that showed something, and the number of the others. */
const seenIn = ({ times, calls }: { times: number; calls: readonly string[] }) =>
  `${calls[0]}${times > 1 ? ` and ${times - 1} more` : ''}`;

/** What was seen of one entry, in a sentence. */
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

/** The summary and every verdict of what was seen, for a terminal. */
export function observedText(observed: Observed, { width, colors }: TextOptions): string {
  const { bold, verified, failed, pending } = palette(colors);
  const mark: Readonly<Record<Verdict, (text: string) => string>> = {
    confirmed: verified,
    refuted: failed,
    contradictory: failed,
    'not-seen': pending,
    'not-looked-at': pending,
  };
  const all = gapsOf(observed.api);
  const lines = observed.entries.flatMap((entry) => {
    const gap = all.find(({ id }) => id === entry.gap);
    if (!gap || entry.evidence.length === 0) return [];
    const text = wrap(seenText(entry, gap), Math.max(20, width - 2)).map((line) => `  ${line}`);
    return [`${bold(entry.gap)}  ${mark[entry.verdict](entry.verdict)}`, ...text];
  });
  const against = observed.contradictions.flatMap(({ section, says, saw, ...counted }) => [
    `${failed('contradicts the document')}, ${section}: "${says}"`,
    `  ${saw} (${seenIn(counted)})`,
  ]);
  return [...lines, ...against, ...(lines.length + against.length > 0 ? [''] : []), summaryOf(observed)].join('\n');
}

export function summaryOf({ calls, webhooks, entries, contradictions, api }: Observed): string {
  const number = (verdict: Verdict) => entries.filter((one) => one.verdict === verdict).length;
  const verdicts = (['confirmed', 'refuted', 'contradictory'] as const).map((one) => `${number(one)} ${one}`).join(', ');
  const against = contradictions.length === 0 ? '' : ` ${count(contradictions.length, 'point')} of the document contradicted.`;
  const seen = webhooks === 0 ? count(calls, 'call') : `${count(calls, 'call')} and ${count(webhooks, 'webhook')}`;
  return `${seen}: of ${entries.length} open questions of ${api}, ${verdicts}, ${number('not-seen')} not seen, ${number('not-looked-at')} not looked at.${against}`;
}
