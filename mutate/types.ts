import type { ServiceName } from '../contracts/documents/services.ts';
import type { AcceptedLoss } from '../contracts/tools/verification/beside.ts';

/** `not exercised`: no call or webhook of the tests shows it. */
export const verdicts = ['unnoticed', 'noticed', 'not exercised'] as const;
export type Verdict = (typeof verdicts)[number];

/** What the tests say of a behaviour that is taken away. */
export interface Judgement {
  /** Such as `pos/report-start`. */
  id: string;
  api: ServiceName;
  verdict: Verdict;
  /** The document's section, and what it says. */
  document: string;
  /** False for a choice of ours. */
  isDocumented: boolean;
  /** Further behaviours that are taken away with it. */
  also: string[];
  /** The calls and webhooks of the tests that showed it. */
  where: string[];
  /** What was tried, the change that is hardest to notice first. */
  tried: TriedMutant[];
  /** The entry that accepts that it is unnoticed, if there is one. It counts until its last day. */
  acceptance?: AcceptedLoss;
  isAccepted: boolean;
}

export interface TriedMutant {
  /** As `--assume` takes it: `pos/report-start=ignored`. */
  id: string;
  text: string;
  /** The test to write. */
  test: string;
  isNoticed: boolean;
  /** The tests that failed, or how the run ended. If `isNoticed` is false, plain runs fail in the same way. */
  by: string[];
}

export interface MutateReport {
  apis: ServiceName[];
  /** What was run, as text. */
  command: string;
  /** Options of `passerelle run` that make the same stubs and environment, for a shell. */
  runOptions: string;
  /** Number of runs, the plain ones included. */
  runs: number;
  durationMs: number;
  /** The worst first. */
  judgements: Judgement[];
  /** Behaviours that no stub can be without, and why. */
  notTakenAway: { id: string; reason: string }[];
  /** Entries of the file that are not needed any more. */
  noLongerNeeded: AcceptedLoss[];
  notes: string[];
  /** True if it was stopped before its end. Behaviours that are missing here were not tried. */
  stopped: boolean;
}
