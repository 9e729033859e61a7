import type { Contradiction } from './documents.ts';
import type { Finding } from './finding.ts';

/** How many calls stand for each finding in the file. */
const mostEvidence = 3;

/** Said by so many calls or webhooks, and the first of them, such as `run 1, call 2`. */
type Counted<S> = S & { times: number; calls: string[] };

/** What calls and webhooks say, each counted once with the calls that show it. */
export interface Notes {
  findings: readonly Counted<Finding>[];
  contradictions: readonly Counted<Contradiction>[];
}

export const noNotes: Notes = { findings: [], contradictions: [] };

/** The calls and webhooks that stand for what is said. */
export const callsIn = ({ findings, contradictions }: Notes): Set<string> =>
  new Set([...findings, ...contradictions].flatMap(({ calls }) => calls));

export const together = (one: Notes, another: Notes): Notes => ({
  findings: another.findings.reduce(withOne, one.findings),
  contradictions: another.contradictions.reduce(withOne, one.contradictions),
});

/** Returns the notes with what one call says. It may say the same of each of its records, which counts once. */
export const noted = (
  before: Notes,
  id: string,
  findings: readonly Finding[],
  contradictions: readonly Contradiction[],
): Notes => {
  const once = <S>(all: readonly S[]): Counted<S>[] =>
    [...new Map(all.map((one) => [JSON.stringify(one), one])).values()].map((one) => ({ ...one, times: 1, calls: [id] }));
  return together(before, { findings: once(findings), contradictions: once(contradictions) });
};

/** Counts what was said before, or adds it. */
function withOne<S extends object>(list: readonly Counted<S>[], one: Counted<S>): readonly Counted<S>[] {
  const { times, calls, ...said } = one;
  const known = list.find((another) =>
    Object.entries(said).every(([name, value]) => String(another[name as keyof S]) === String(value)),
  );
  if (!known) return [...list, { ...one, calls: calls.slice(0, mostEvidence) }];
  const counted = { ...known, times: known.times + times, calls: [...known.calls, ...calls].slice(0, mostEvidence) };
  return list.map((another) => (another === known ? counted : another));
}
