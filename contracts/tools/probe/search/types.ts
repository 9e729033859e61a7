import type { Outcome } from '../types.ts';
import type { Excludes } from './groups.ts';

export type Verdict = Pick<Outcome, 'passed'> & Partial<Pick<Outcome, 'failedTests' | 'notRun' | 'timedOut'>>;

export interface SearchInput<V extends Verdict> {
  /** Runs under these alternatives. `again` counts the runs under the same set, from 0. */
  run(set: readonly string[], again: number): Promise<V>;
  /** Runs at the same time. Default 1. It does not change which runs are made. */
  jobs?: number;
  /** Called when the first runs have started, and after each run, with the number of runs that are probably left. */
  onProgress?(left: number): void;
  /** In the order in which they are tried. */
  candidates: readonly string[];
  excludes: Excludes;
  /** For each question that is no dependency, its alternatives in the order in which they are tried, until a run fails. Default: none. */
  questions?: readonly (readonly string[])[];
  /** Findings are added here, so that they are kept even if a run throws. */
  found?: Found<V>;
}

export interface Blamed<V> {
  /** One alternative, or the few that fail only together. */
  set: string[];
  verdict: V;
}

export interface Found<V> {
  blamed: Blamed<V>[];
  /** For each question under which a run fails, the alternative under which it was seen. */
  asked: Blamed<V>[];
  /** Sets that failed and then passed. */
  notReproducible: Blamed<V>[];
  /** Compatible pairs of what is not to blame alone: how many there are, and how many were in a run that passed. */
  pairs: { met: number; all: number };
}

export const nothingFound = <V>(): Found<V> => ({ blamed: [], asked: [], notReproducible: [], pairs: { met: 0, all: 0 } });

export type OwnInput<V extends Verdict> = SearchInput<V> & Required<Pick<SearchInput<V>, 'questions' | 'found'>>;
