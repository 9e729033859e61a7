import type { Gap } from '../../../spec/gaps/gap.ts';
import { choice, type Finding, other, type Way } from './finding.ts';

/**
 * - `confirmed`: the replies could have looked otherwise under some alternative, and did not.
 * - `refuted`: our choice does not explain the replies.
 * - `contradictory`: no single way explains all replies.
 * - `not-seen`: no reply says anything about it.
 * - `not-looked-at`: no recogniser looks at it, so no call can say anything about it.
 */
export type Verdict = 'confirmed' | 'refuted' | 'contradictory' | 'not-seen' | 'not-looked-at';

export interface Judged {
  verdict: Verdict;
  /**
   * If refuted: the alternatives that remain. If there is one, the service has chosen it. If there is none, the service does
   * something that the register does not know.
   */
  alternatives: Way[];
  /** If confirmed: the alternatives that no reply excludes yet. */
  open: Way[];
}

type Said = Pick<Finding, 'shows' | 'excludes'>;

export function judge(gap: Pick<Gap, 'alternatives' | 'notLookedAt' | 'severalAtOnce'>, findings: readonly Said[]): Judged {
  const ids = gap.alternatives.map(({ id }) => id);
  if (findings.length === 0)
    return { verdict: gap.notLookedAt === undefined ? 'not-seen' : 'not-looked-at', alternatives: [], open: ids };
  return gap.severalAtOnce ? judgeEach(ids, findings) : judgeOne(ids, findings);
}

/** A service has exactly one of these ways: what remains after all findings is the verdict. */
function judgeOne(ids: Way[], findings: readonly Said[]): Judged {
  const ways = [choice, ...ids, other];
  const left = ways.filter((way) =>
    findings.every(({ shows, excludes = [] }) => (shows === undefined || shows === way) && !excludes.includes(way)),
  );
  const alternatives = left.filter((way) => ids.includes(way));
  if (left.length === 0) return { verdict: 'contradictory', alternatives: shownIn(ids, findings), open: [] };
  if (left.includes(choice)) return { verdict: 'confirmed', alternatives: [], open: alternatives };
  return { verdict: 'refuted', alternatives, open: [] };
}

/** Judges each alternative separately. If none is seen, the service does only what our choice says. */
function judgeEach(ids: Way[], findings: readonly Said[]): Judged {
  const shown = shownIn(ids, findings);
  const isOurs = findings.some(({ shows }) => shows === choice);
  const isNotOurs = findings.some(({ shows, excludes = [] }) => shows === other || excludes.includes(choice));
  const excluded = ids.filter((id) => isOurs || findings.some(({ excludes = [] }) => excludes.includes(id)));
  if ((isOurs && isNotOurs) || shown.some((id) => excluded.includes(id)))
    return { verdict: 'contradictory', alternatives: shown, open: [] };
  if (shown.length > 0 || isNotOurs) return { verdict: 'refuted', alternatives: shown, open: [] };
  return { verdict: 'confirmed', alternatives: [], open: ids.filter((id) => !excluded.includes(id)) };
}

const shownIn = (ids: Way[], findings: readonly Said[]) => ids.filter((id) => findings.some(({ shows }) => shows === id));
