import type { Gap } from '../../../spec/gaps/gap.ts';

/** What a call or a webhook says about one entry of the register. */
export interface Finding {
  gap: string;
  /** The one alternative that explains what was seen. */
  shows?: string | undefined;
  /** What was seen is as we chose, and these alternatives do not explain it. */
  excludes?: readonly string[] | undefined;
  /** What was seen, in words without values from the call. */
  because: string;
}

/**
 * - `confirmed`: the replies could have looked otherwise under some alternative, and did not.
 * - `refuted`: the replies were as under an alternative.
 * - `contradictory`: no single way explains all replies.
 * - `not-seen`: no reply says anything about it.
 * - `ask-owner`: no alternative says what a single call would show.
 */
export type Verdict = 'confirmed' | 'refuted' | 'contradictory' | 'not-seen' | 'ask-owner';

export interface Judged {
  verdict: Verdict;
  /** The alternatives that were seen. */
  alternatives: string[];
  /** If confirmed: the alternatives that no reply excludes yet. */
  open: string[];
}

/** Returns true if one of the alternatives can show in a single call or webhook. Otherwise only the service's owner can tell. */
export const isObservable = ({ alternatives }: Gap): boolean =>
  alternatives.some(({ is = [] }) => [is].flat().some((one) => one.request ?? one.reply ?? one.message ?? one.token));

export function judge(gap: Gap, said: readonly Omit<Finding, 'gap' | 'because'>[]): Judged {
  const ids = gap.alternatives.map(({ id }) => id);
  const shown = ids.filter((id) => said.some(({ shows }) => shows === id));
  const open = ids.filter((id) => !said.some(({ excludes }) => excludes?.includes(id)));
  if (said.length === 0) return { verdict: isObservable(gap) ? 'not-seen' : 'ask-owner', alternatives: [], open };
  if (shown.length === 0) return { verdict: 'confirmed', alternatives: [], open };
  const isOneWay = shown.length === 1 || gap.severalAtOnce === true;
  const isExplained = isOneWay && shown.every((id) => open.includes(id));
  return { verdict: isExplained ? 'refuted' : 'contradictory', alternatives: shown, open: [] };
}
