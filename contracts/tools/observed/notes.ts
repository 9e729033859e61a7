import type { Contradiction } from './documents.ts';
import type { Evidence, SeenContradiction } from './file.ts';
import type { Finding } from './finding.ts';

/** How many calls stand for each finding in the file. */
export const mostEvidence = 3;

type Counted<S> = S & { times: number; calls: string[] };

/** What calls and webhooks say, each counted once with the calls that show it. */
export class Notes {
  readonly #evidence: Map<string, Evidence[]>;
  #contradictions: SeenContradiction[];

  constructor(evidence: Iterable<[gap: string, Evidence[]]> = [], contradictions: readonly SeenContradiction[] = []) {
    this.#evidence = new Map(evidence);
    this.#contradictions = [...contradictions];
  }

  /** `id`: of the call, such as `run 1, call 2`. */
  add(id: string, findings: readonly Finding[], contradictions: readonly Contradiction[]): void {
    const once = { times: 1, calls: [id] };
    for (const { gap, ...said } of withoutRepeats(findings)) this.#addEvidence(gap, { ...said, ...once });
    for (const contradicted of withoutRepeats(contradictions)) this.#addContradiction({ ...contradicted, ...once });
  }

  /** Returns these notes and others together. */
  with(others: Notes): Notes {
    const both = new Notes(this.#evidence, this.#contradictions);
    for (const [gap, all] of others.#evidence) for (const one of all) both.#addEvidence(gap, one);
    for (const one of others.#contradictions) both.#addContradiction(one);
    return both;
  }

  get evidence(): ReadonlyMap<string, Evidence[]> {
    return this.#evidence;
  }

  get contradictions(): SeenContradiction[] {
    return this.#contradictions;
  }

  #addEvidence(gap: string, said: Evidence): void {
    this.#evidence.set(gap, withOne(this.#evidence.get(gap) ?? [], said));
  }

  #addContradiction(contradicted: SeenContradiction): void {
    this.#contradictions = withOne(this.#contradictions, contradicted);
  }
}

/** One reply may say the same of each of its records. It counts once. */
const withoutRepeats = <T>(all: readonly T[]): T[] => [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];

/** Counts what was said before, or adds it. */
function withOne<S extends object>(list: readonly Counted<S>[], one: Counted<S>): Counted<S>[] {
  const { times, calls, ...said } = one;
  const isSame = (known: Counted<S>) =>
    Object.entries(said).every(([name, value]) => String(known[name as keyof S]) === String(value));
  const known = list.find(isSame);
  if (!known) return [...list, { ...one, calls: calls.slice(0, mostEvidence) }];
  const counted = { ...known, times: known.times + times, calls: [...known.calls, ...calls].slice(0, mostEvidence) };
  return list.map((another) => (another === known ? counted : another));
}
