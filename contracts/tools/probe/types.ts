import type { ServiceName } from '../../../spec/documents/services.ts';
import type { Gap, GapAlternative } from '../../../spec/gaps/gap.ts';
import type { Seed } from '../../../stubs/seed/types.ts';

/** One side of a difference, without secrets. */
export interface Shown {
  /** Of a reply. */
  status?: number;
  /** Those in which the two sides differ. */
  headers: Record<string, string>;
  /** Parsed JSON, or text; absent if there is none. */
  body?: unknown;
}

/** A reply or webhook that an alternative changes: the first one of its operation or event. */
export interface Difference {
  /** Such as `POST /sales` or `webhook sale.completed`. */
  where: string;
  /** The reply or webhook under our choice. Absent if the alternative's is not known. */
  before?: Shown;
  /** Under the alternative. Absent if only the service can tell, because it understands the request otherwise. */
  after?: Shown;
}

/** How a run of the command, or of the function, failed. */
export interface Failure {
  /** The tests that failed, by their names; empty if the command does not tell. */
  failedTests: string[];
  /** How it ended, such as `exit code 1`. */
  reason: string;
  /** The last lines of its output. */
  lastLines: string[];
}

/** What the register says of an alternative. */
export interface Candidate
  extends Pick<Gap, 'api' | 'section' | 'quote' | 'question' | 'choice'>,
    Pick<GapAlternative, 'settledBy' | 'text'> {
  /** `GAP=ALTERNATIVE`. */
  id: string;
  gap: string;
  alternative: string;
}

/** An alternative under which tests fail. */
export interface Blameworthy extends Candidate {
  /** One for each operation that was answered otherwise. A command does not tell which of them the failed test called. */
  differences: Difference[];
  /** What to write instead, or to ask the service's owner. */
  advice: string;
}

/** An entry of `passerelle.assumptions.json` that accepts a dependency. It has a type of its own, as partners get it. */
export interface Acceptance {
  gap: string;
  reason: string;
  /** The last day on which it counts, YYYY-MM-DD. */
  expiry: string;
}

/** An alternative under which tests fail, in a list of its own. */
export interface Dependency extends Failure {
  alternatives: [Blameworthy];
  /** `new`: nobody accepted it. `expired`: somebody did, until a day that is over. */
  standing: 'new' | 'expired' | 'accepted';
  acceptance?: Acceptance;
}

export interface ProbeReport {
  apis: ServiceName[];
  /** What was run, as text. */
  command: string;
  /** Number of runs, the plain ones included. */
  runs: number;
  durationMs: number;
  /** Choices that the client can become independent of. */
  dependencies: Dependency[];
  /** What only the owner can answer. The alternatives of a gap are tried until tests fail under one. */
  questions: Dependency[];
  /** Alternatives that would have changed at least one call or webhook of the plain runs. */
  exercised: Candidate[];
  /** The rest. The suite says nothing about them. */
  notExercised: Candidate[];
  /** Exercised alternatives as a percentage of all that a stub plays. */
  coverage: number;
  /** Sets that failed once and then passed, or whose halves passed: nobody is blamed. */
  notReproducible: { alternatives: string[]; failedTests: string[] }[];
  /** True if it was stopped before its end: there may be more to find. */
  stopped: boolean;
}

/** What `run` gets: the stubs of one run. */
export interface ProbeRun {
  /** Addresses and credentials, under the names that `passerelle probe` gives to a command: `PASSERELLE_POS_URL`. */
  env: Record<string, string>;
  /** The stubs' addresses by API. */
  urls: Partial<Record<ServiceName, string>>;
  /** The place among the runs at the same time, from 0: for ports and files. */
  slot: number;
  /** Aborted when the time of the run is over. */
  signal: AbortSignal;
}

export interface ProbeOptions {
  /** The APIs that `run` calls. */
  apis: ServiceName | readonly ServiceName[];
  /** Runs what depends on the APIs, with fresh stubs each time. It fails if it throws, rejects, or returns the names of failed tests. */
  run(context: ProbeRun): unknown;
  /** Gaps, alternatives as `pos.sale-status=200`, or a group (`pos`, `cohesion`, `harmless`), to ask about. Default: all that a stub plays. */
  only?: readonly string[];
  /** Runs at the same time. Default 1. */
  jobs?: number;
  /** The limit of one run. Default: three times the slowest plain run, and 5 s. */
  timeoutMs?: number;
  /** The stubs' data: `demo` (the default), `empty`, a file, or an object by API. */
  data?: string | Partial<{ [A in ServiceName]: Seed<A> }>;
  /** The file of accepted dependencies; false reads none. Default: `passerelle.assumptions.json`, if it is in the current folder. */
  assumptions?: string | false;
  /** Stops the probe with the signal's reason. */
  signal?: AbortSignal;
}

export interface ProbeResult extends ProbeReport {
  /** Dependencies that nobody has accepted, or whose acceptance has expired. A test expects none. Questions are none of them. */
  open: Dependency[];
  /** The report as `passerelle probe` prints it. */
  text: string;
}
