import { type ServiceName, serviceNames } from '../contracts/documents/services.ts';
import type { Seed } from '../stubs/seed/types.ts';
import {
  callback,
  either,
  type Fields,
  flag,
  instance,
  listOf,
  objectWith,
  oneOf,
  refuseWrong,
  required,
  text,
  textOrNumber,
  textOrObject,
  whole,
} from '../stubs/takes.ts';
import type { Dependency, ProbeReport } from './types.ts';

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
  /**
   * Runs what depends on the APIs. It passes if it returns, and fails if it throws, rejects, or returns the names of failed tests.
   * Called many times, each time with fresh stubs.
   */
  run(context: ProbeRun): unknown;
  /** Gaps, alternatives as `pos.sale-status=200`, or a group (`pos`, `cohesion`, `harmless`), to ask about. Default: all that a stub plays. */
  only?: readonly string[];
  /** Files of `passerelle observe`, one for an API. The probe asks only about what is still open, and plays what they show. */
  observed?: string | readonly string[];
  /** Runs at the same time. Default 1. */
  jobs?: number;
  /** Makes the order of the runs. Default: `passerelle`. */
  seed?: string | number;
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

const api = oneOf(...serviceNames);
const optionFields: Fields<ProbeOptions> = {
  apis: required(either(api, listOf(api))),
  run: required(callback),
  only: listOf(text),
  observed: either(text, listOf(text)),
  jobs: whole(1, 999),
  seed: textOrNumber,
  timeoutMs: whole(1, 2 ** 31 - 1),
  data: textOrObject,
  assumptions: either(text, { ...flag, takes: 'false', accepts: (value) => value === false }),
  signal: instance('an AbortSignal', AbortSignal),
};

/**
 * Finds the choices of the gap register on which code depends: runs it against stubs in this process that answer under the other choices.
 * Rejects with `CouldNotRun` if an option cannot be used, or if a run without alternatives fails.
 */
export async function probe(options: ProbeOptions): Promise<ProbeResult> {
  refuseWrong(options, required(objectWith(optionFields)), 'probe: options', 'an option of probe');
  const { probeFunction } = await import('./function.ts');
  return probeFunction(options);
}
