import type { ServiceName } from '../../../spec/documents/services.ts';
import type { SeenCall } from './call.ts';

/** One way in which a service can answer a question: our choice, an alternative by its id, or something else. */
export type Way = string;
export const choice: Way = 'choice';
export const other: Way = 'other';

/** What one call says about one entry of the register. */
export interface Finding {
  gap: string;
  shows?: Way;
  /** Ways that do not explain the reply. */
  excludes?: readonly Way[];
  /** What was seen, in words without values from the call. */
  because: string;
}

/** Looks at a call or a webhook, and at those before it in the same run. If it is in doubt, it returns nothing. */
export type Recogniser<S = SeenCall> = (seen: S, earlier: readonly S[]) => Finding[];
export type Recognisers<S = SeenCall> = Readonly<Record<ServiceName, readonly Recogniser<S>[]>>;

/** Either the only way that explains what was seen, or the ways that do not explain it. */
export type Said = Way | { not: readonly Way[] };
export const not = (...ways: Way[]): Said => ({ not: ways });

export const finding = (gap: string, said: Said, because: string): Finding[] => [
  typeof said === 'string' ? { gap, shows: said, because } : { gap, excludes: said.not, because },
];
export const nothing: Finding[] = [];

/** Returns what a call or webhook shows, and why. If it is in doubt, it returns false or undefined. */
type Judge<S> = (seen: S, earlier: readonly S[]) => readonly [said: Said, because: string] | false | undefined;

export const rule =
  <S = SeenCall>(gap: string, judge: Judge<S>): Recogniser<S> =>
  (seen, earlier) => {
    const judged = judge(seen, earlier);
    return judged ? finding(gap, ...judged) : nothing;
  };

type Operations = string | readonly string[];

/** A recogniser of calls of these operations, however they are answered. */
export const asked = (on: Operations, gap: string, judge: Judge<SeenCall>): Recogniser =>
  rule(gap, (call, earlier) => call.isOn(...[on].flat()) && judge(call, earlier));

/** A recogniser of calls of these operations that succeeded. */
export const taken = (on: Operations, gap: string, judge: Judge<SeenCall>): Recogniser =>
  asked(on, gap, (call, earlier) => call.isSuccess && judge(call, earlier));
