import type { Gap } from '../../../spec/gaps/gap.ts';

/** One way in which a service can answer a question: our choice, an alternative by its id, or something else. */
export type Way = string;
export const choice: Way = 'choice';
export const other: Way = 'other';

/** What a call or a webhook says about one entry of the register. */
export interface Finding {
  gap: string;
  /** The only way that explains what was seen. */
  shows?: Way | undefined;
  /** Ways that do not explain it. */
  excludes?: readonly Way[] | undefined;
  /** What was seen, in words without values from the call. */
  because: string;
}

/** Returns true for a way that an earlier finding excludes. */
export type IsExcluded = (gap: string, way: Way) => boolean;

/**
 * - `confirmed`: the replies could have looked otherwise under some alternative, and did not.
 * - `refuted`: our choice does not explain the replies.
 * - `contradictory`: no single way explains all replies.
 * - `not-seen`: no reply says anything about it.
 * - `ask-owner`: no alternative says what a single call would show.
 */
export type Verdict = 'confirmed' | 'refuted' | 'contradictory' | 'not-seen' | 'ask-owner';

export interface Judged {
  verdict: Verdict;
  /** If refuted: the alternatives that remain. None means that the register does not know what the service does. */
  alternatives: Way[];
  /** If confirmed: the alternatives that no reply excludes yet. */
  open: Way[];
}

/** Returns true if one of the alternatives can show in a single call or webhook. Otherwise only the service's owner can tell. */
export const isObservable = ({ alternatives }: Gap): boolean =>
  alternatives.some(({ is = [] }) => [is].flat().some((one) => one.request ?? one.reply ?? one.message ?? one.token));

export function judge(gap: Gap, said: readonly Omit<Finding, 'gap' | 'because'>[]): Judged {
  const ids = gap.alternatives.map(({ id }) => id);
  if (said.length === 0) return { verdict: isObservable(gap) ? 'not-seen' : 'ask-owner', alternatives: [], open: ids };
  const isExcluded = (way: Way) =>
    said.some(({ shows = way, excludes = [] }) => {
      const isBeside = gap.severalAtOnce && shows !== choice && way !== choice;
      return excludes.includes(way) || (shows !== way && !isBeside);
    });
  const left = [choice, ...ids, other].filter((way) => !isExcluded(way));
  const shown = ids.filter((id) => said.some(({ shows }) => shows === id));
  if (left.length === 0 || shown.some(isExcluded)) return { verdict: 'contradictory', alternatives: shown, open: [] };
  const alternatives = left.filter((way) => ids.includes(way));
  if (left.includes(choice)) return { verdict: 'confirmed', alternatives: [], open: alternatives };
  return { verdict: 'refuted', alternatives: gap.severalAtOnce ? shown : alternatives, open: [] };
}
