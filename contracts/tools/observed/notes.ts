import type { Contradiction } from './documents.ts';
import type { Finding } from './finding.ts';

/** The maximum number of calls that the file shows for each finding. */
const mostEvidence = 3;

/** A statement, the number of calls or webhooks that show it, and the first of these, such as `run 1, call 2`. */
type Counted<S> = S & { times: number; calls: string[] };

/** The findings and contradictions so far. Each is listed once, with the calls that show it. */
export interface Notes {
  findings: readonly Counted<Finding>[];
  contradictions: readonly Counted<Contradiction>[];
}

/** The calls and webhooks that the notes name. */
export const callsIn = ({ findings, contradictions }: Notes): Set<string> =>
  new Set([...findings, ...contradictions].flatMap(({ calls }) => calls));

export interface Noted {
  id: string;
  findings: readonly Finding[];
  contradictions: readonly Contradiction[];
}

/** Returns the notes with the findings of one call or webhook added. If it shows the same in several records, this counts once. */
export function noted(before: Notes, { id, findings, contradictions }: Noted): Notes {
  const once = <S>(all: readonly S[]): Counted<S>[] =>
    [...new Map(all.map((one) => [JSON.stringify(one), one])).values()].map((one) => ({ ...one, times: 1, calls: [id] }));
  return {
    findings: once(findings).reduce(withOne, before.findings),
    contradictions: once(contradictions).reduce(withOne, before.contradictions),
  };
}

function withOne<S extends object>(list: readonly Counted<S>[], one: Counted<S>): readonly Counted<S>[] {
  const { times, calls, ...said } = one;
  const known = list.find((another) =>
    Object.entries(said).every(([name, value]) => String(another[name as keyof S]) === String(value)),
  );
  if (!known) return [...list, { ...one, calls: calls.slice(0, mostEvidence) }];
  const counted = { ...known, times: known.times + times, calls: [...known.calls, ...calls].slice(0, mostEvidence) };
  return list.map((another) => (another === known ? counted : another));
}
