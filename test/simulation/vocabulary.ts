import { type NextAttempt, noticeKinds, recoveryRefusals } from '../../gateway/store/tables/webhooks.ts';
import { nextAttemptTexts } from '../../gateway/webhooks/model/next-attempt.ts';
import { reasonTexts } from '../../gateway/webhooks/model/reasons.ts';
import { faultKinds } from './faults.ts';
import { everyActionKind } from './operators.ts';
import type { Committed } from './oracle.ts';
import { modelTransitions, takenFromLane } from './transitions.ts';

/** How the world counts what the gateways' own words say. */
export const counted = {
  reason: (reason: string) => `reason ${reason}`,
  outcome: (outcome: string) => `outcome ${outcome}`,
  nextAttempt: (name: string) => `next attempt ${name}`,
  notice: (kind: string) => `notice ${kind}`,
  refusal: (reason: string) => `recovery refused ${reason}`,
};

/** A row, or the columns of one that are written. */
type Written = {
  reason?: string | null;
  outcome?: string;
  kind?: string;
  result?: string;
  next_attempt_case?: NextAttempt | null;
};

/** The words in a row. */
const wordsIn: Readonly<Record<string, (row: Written) => (string | false | undefined)[]>> = {
  deliveries: ({ reason }) => [reason ? counted.reason(reason) : false],
  attempts: ({ outcome, next_attempt_case: next }) => [
    outcome && counted.outcome(outcome),
    next ? counted.nextAttempt(next.case) : false,
  ],
  notices: ({ kind }) => [kind && counted.notice(kind)],
  recovery_items: ({ result }) => [result && counted.refusal(result)],
};

/** The words in what a statement writes. */
export function wordsOf({ name, args }: Pick<Committed, 'name' | 'args'>): string[] {
  const [table, given, other] = args as [string, Written[], (Written & { table?: string; rows?: Written[] }) | undefined];
  let rows = given;
  if (name === 'update') rows = [other ?? {}];
  if (name === 'advance') rows = given.map((move) => (move as { next?: Written }).next ?? {});
  const along = name === 'update' ? [] : (other?.rows ?? []);
  const words = [...rows.map((row) => wordsIn[table]?.(row)), ...along.map((row) => wordsIn[other?.table ?? '']?.(row))];
  return words.flatMap((some) => some ?? []).filter((word) => typeof word === 'string');
}

/** What cannot happen here, and why. */
const impossible: Readonly<Record<string, string>> = {
  [counted.reason('event_missing')]: 'Retention keeps the event of a delivery that is not finished.',
  [counted.refusal('event_missing')]:
    'Only a recovery of an owned endpoint reads events, and retention takes their deliveries with them.',
  [counted.refusal('delivery_missing')]: 'Retention does not run while a recovery does.',
  [counted.reason('lost')]: 'Only a stub loses webhooks.',
  [counted.refusal('lost')]: 'Only a stub loses webhooks.',
  [counted.refusal('skipped')]: 'Every skipped delivery has a reason of the list.',
};

const outcomes = ['success', ...reasonTexts.filter(({ kind }) => kind === 'error').map(({ reason }) => reason)];

/** Everything that can happen. */
export const possible: readonly string[] = [
  ...faultKinds,
  ...everyActionKind,
  ...['request without proxy', 'acknowledged', 'not acknowledged', 'endpoint resumed', 'owner resumed'],
  ...outcomes.map(counted.outcome),
  ...reasonTexts.map(({ reason }) => counted.reason(reason)),
  ...Object.keys(nextAttemptTexts).map(counted.nextAttempt),
  ...noticeKinds.map(counted.notice),
  ...recoveryRefusals.map(counted.refusal),
  takenFromLane,
  ...modelTransitions,
].filter((what) => !Object.hasOwn(impossible, what));

/** What happens in a smaller share of seeds is rare. Fewer seeds than this takes need not show everything. */
const rareShare = 0.01;

/**
 * Returns what never happened or is rare, the rarest first, with the number of seeds. `seedsWith`: in how many of the
 * seeds each thing happened.
 */
export function rareIn(seedsWith: ReadonlyMap<string, number>, seeds: number): [what: string, seeds: number][] {
  if (seeds * rareShare < 1) return [];
  const all = possible.map((what): [string, number] => [what, seedsWith.get(what) ?? 0]);
  return all.filter(([, count]) => count < seeds * rareShare).toSorted(([, one], [, other]) => one - other);
}
