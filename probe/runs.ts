import type { ServiceName } from '../contracts/documents/services.ts';
import type { Assumed } from '../stubs/assume/chosen.ts';
import { environmentOf, type Variable } from '../stubs/environment.ts';
import { type Stub, type StubOptions, startStub } from '../stubs/stub.ts';
import { assumedOf } from './candidates.ts';
import { type Exercised, startExercised } from './exercised.ts';
import type { Candidate, Outcome, ProbeRun } from './types.ts';

/** What is run under each set of alternatives: a command, or a function. */
export interface Runner {
  /** As reports name it. */
  readonly name: string;
  /** Runs until it ends, or the signal says so. */
  run(context: ProbeRun): Promise<Ended>;
}

/** `passedTests`: absent if the command names failures only. */
export type Ended = Pick<Outcome, 'passed' | 'failedTests' | 'reason' | 'lastLines'> & { passedTests?: string[] | undefined };

export interface RunsInput {
  apis: readonly ServiceName[];
  candidates: readonly Candidate[];
  runner: Runner;
  /** The options of each API's stub. */
  stubs: Partial<Record<ServiceName, Pick<StubOptions, 'seed' | 'webhooks'>>>;
  /** Further variables of the environment, by the API whose stub they are about. */
  variables: Partial<Record<ServiceName, readonly Variable[]>>;
  /** Alternatives of every run. */
  base: Partial<Record<ServiceName, Assumed>>;
  signal?: AbortSignal | undefined;
}

/** Makes runs, each with fresh stubs. */
export class Runs {
  readonly #input: RunsInput;
  readonly #busy = new Set<number>();
  /** The tests that passed in the first plain run, if the command names them. */
  tests: readonly string[] | undefined;
  timeoutMs: number;
  /** Runs that ended. One that was stopped tells nothing. */
  count = 0;
  /** Calls that the stubs of the first run got. */
  calls = 0;

  constructor(input: RunsInput, timeoutMs: number) {
    this.#input = input;
    this.timeoutMs = timeoutMs;
  }

  /** Runs under these alternatives and those of every run. The first run notes in `exercised` which others would have changed something. */
  async under(set: readonly string[], exercised?: Exercised): Promise<Outcome> {
    const { apis, base, candidates, stubs: options } = this.#input;
    const stubs: Stub<ServiceName>[] = [];
    this.#input.signal?.throwIfAborted();
    try {
      for (const api of apis) {
        const assume = { ...base[api], ...assumedOf(candidates, set, api) };
        const own: StubOptions = { logLevel: 'silent', ...options[api], assume };
        const asked = candidates.filter((one) => one.api === api);
        stubs.push(await (exercised ? startExercised(api, own, { candidates: asked, exercised }) : startStub(api, own)));
      }
      const { passedTests, ...outcome } = await this.#once(stubs);
      if (exercised) {
        this.tests = passedTests;
        this.calls = stubs.reduce((sum, stub) => sum + stub.calls().length, 0);
      }
      if (outcome.passed || this.tests === undefined) return outcome;
      const told = new Set([...(passedTests ?? []), ...outcome.failedTests]);
      return { ...outcome, notRun: this.tests.filter((name) => !told.has(name)) };
    } finally {
      await Promise.all(stubs.map((stub) => stub.close()));
    }
  }

  async #once(stubs: readonly Stub<ServiceName>[]): Promise<Ended & Outcome> {
    const { runner, variables, signal } = this.#input;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error('The time of the run is over.')), this.timeoutMs);
    let slot = 0;
    while (this.#busy.has(slot)) slot += 1;
    this.#busy.add(slot);
    // The first API's stub has the names that belong to no API.
    const env = Object.assign({}, ...stubs.map((stub) => environmentOf(stub, variables[stub.api] ?? [])).reverse(), {
      PASSERELLE_PROBE_RUN: String(slot),
    });
    const urls = Object.fromEntries(stubs.map(({ api, url }) => [api, url]));
    const startedAt = performance.now();
    try {
      const ended = await runner.run({ env, urls, slot, signal: AbortSignal.any([late.signal, ...(signal ? [signal] : [])]) });
      signal?.throwIfAborted();
      this.count += 1;
      const durationMs = performance.now() - startedAt;
      if (!late.signal.aborted) return { ...ended, timedOut: false, durationMs };
      return { ...ended, passed: false, reason: `stopped after ${(durationMs / 1000).toFixed(1)} s`, timedOut: true, durationMs };
    } finally {
      clearTimeout(timer);
      this.#busy.delete(slot);
    }
  }
}
