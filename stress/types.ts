import type { ServiceName } from '../contracts/documents/services.ts';
import type { AcceptedFinding, Damage } from '../contracts/tools/verification/beside.ts';
import type { FailureName } from './failures.ts';

/** `silent damage`: see `twice` and `lost`. `told its caller`: tests fail. */
export const verdicts = ['silent damage', 'told its caller', 'survived'] as const;
export type Verdict = (typeof verdicts)[number];

/** What became of the calls of an operation, or of the webhooks of an event, under a failure: the worst of them. */
export interface Judgement {
  api: ServiceName;
  /** Such as `POST /sales`, or `webhook sale.completed`. */
  where: string;
  failure: FailureName;
  verdict: Verdict;
  /** The number of calls at which it was played. */
  calls: number;
  /** What the tests say: `pass`, or which fail. */
  tests: string;
}

export interface StressFinding {
  /** Such as `pos.createSale.twice`. */
  id: string;
  api: ServiceName;
  where: string;
  damage: Damage;
  /** The failures under which it was seen. */
  failures: FailureName[];
  /** What happened under the first of them, as sentences. */
  what: string;
  /** The request at which that failure was played, without secrets. */
  request: string;
  /** What the tests say under it. */
  tests: string;
  advice: string;
  /** The document's section, and what it says. */
  document: string;
  /** The entry that accepts it, if there is one. It counts until its last day. */
  acceptance?: AcceptedFinding;
  isAccepted: boolean;
}

export interface StressReport {
  apis: ServiceName[];
  /** What was run, as text. */
  command: string;
  /** Number of runs, the plain ones included. */
  runs: number;
  durationMs: number;
  /** The worst first. */
  findings: StressFinding[];
  /** In the order of the documents. */
  judgements: Judgement[];
  /** Entries of the file that no finding needs any more. */
  noLongerNeeded: AcceptedFinding[];
  /** Operations and events that the tests do not use. */
  notUsed: string[];
  notes: string[];
  /** True if it was stopped before its end. */
  stopped: boolean;
}
