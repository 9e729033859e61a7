import type { ServiceName } from '../contracts/documents/services.ts';
import type { Assumed } from '../stubs/assume/chosen.ts';
import { environmentOf, type Variable } from '../stubs/environment.ts';
import { type Stub, type StubOptions, startStub } from '../stubs/stub.ts';
import { assumedOf } from './candidates.ts';
import { type Exercised, startExercised } from './exercised.ts';
import type { Candidate, Outcome } from './types.ts';

/** What is run under each set of alternatives: a command, or a function. */
export interface Runner {
  /** As reports name it. */
  readonly name: string;
  run(context: RunContext): Promise<RunnerOutcome>;
}

/** `passedTests`: absent if the command names failures only. */
export type RunnerOutcome = Omit<Outcome, 'notRun'> & { passedTests?: string[] | undefined };

export interface RunContext {
  /** Addresses and credentials of the stubs. */
  env: Record<string, string>;
  urls: Partial<Record<ServiceName, string>>;
  /** The place among the runs at the same time, from 0. */
  slot: number;
  timeoutMs: number | undefined;
  signal: AbortSignal | undefined;
}

/** The options of the stubs that a probe passes on. */
export type StubParts = Pick<StubOptions, 'seed' | 'plan' | 'limits' | 'clock' | 'webhooks' | 'mobileMoney' | 'secret'>;

export interface RunsInput {
  apis: readonly ServiceName[];
  candidates: readonly Candidate[];
  runner: Runner;
  /** The options of each API's stub. */
  stubs: Partial<Record<ServiceName, StubParts>>;
  /** Further variables of the environment, by the API whose stub they are about. */
  variables: Partial<Record<ServiceName, readonly Variable[]>>;
  /** Alternatives of every run. */
  base?: Partial<Record<ServiceName, Assumed>> | undefined;
  signal?: AbortSignal | undefined;
}

/** Makes runs, each with fresh stubs. */
export class Runs {
  readonly #input: RunsInput;
  readonly #busy = new Set<number>();
  /** The tests that passed in the first plain run, if the command names them. */
  tests: readonly string[] | undefined;
  #isJudged = false;
  timeoutMs: number | undefined;
  /** Runs that ended. One that was stopped tells nothing. */
  count = 0;

  constructor(input: RunsInput) {
    this.#input = input;
  }

  /** Runs without alternatives but those of every run. The first one notes which others would have changed something. */
  async plain(exercised: Exercised): Promise<Outcome & { calls: number }> {
    const { base = {}, candidates } = this.#input;
    const start = this.#isJudged
      ? (api: ServiceName) => startStub(api, this.#options(api, base[api]))
      : (api: ServiceName) =>
          startExercised(api, this.#options(api, base[api]), { candidates: ofApi(candidates, api), exercised });
    this.#isJudged = true;
    return this.#withStubs(start, async (stubs) => {
      const outcome = await this.#once(stubs);
      this.tests ??= outcome.passedTests;
      return { ...outcome, calls: stubs.reduce((sum, stub) => sum + stub.calls().length, 0) };
    });
  }

  /** Runs under these alternatives. */
  async under(set: readonly string[]): Promise<Outcome> {
    const { base, candidates } = this.#input;
    return this.#withStubs(
      (api) => startStub(api, this.#options(api, { ...base?.[api], ...assumedOf(candidates, set, api) })),
      async (stubs) => {
        const { passedTests = [], ...outcome } = await this.#once(stubs);
        if (outcome.passed) return outcome;
        const told = new Set([...passedTests, ...outcome.failedTests]);
        return {
          ...outcome,
          ...(this.tests && { notRun: this.tests.filter((name) => !told.has(name)) }),
        };
      },
    );
  }

  async #once(stubs: readonly Stub<ServiceName>[]): Promise<RunnerOutcome> {
    const { runner, variables, signal } = this.#input;
    const slot = this.#takeSlot();
    // The first API's stub has the names that belong to no API.
    const env = Object.assign({}, ...stubs.map((stub) => environmentOf(stub, variables[stub.api] ?? [])).reverse(), {
      PASSERELLE_PROBE_RUN: String(slot),
    });
    try {
      const urls = Object.fromEntries(stubs.map(({ api, url }) => [api, url]));
      const outcome = await runner.run({ env, urls, slot, signal, timeoutMs: this.timeoutMs });
      this.count += 1;
      return outcome;
    } finally {
      this.#busy.delete(slot);
    }
  }

  #takeSlot(): number {
    let slot = 0;
    while (this.#busy.has(slot)) slot += 1;
    this.#busy.add(slot);
    return slot;
  }

  #options(api: ServiceName, assume: Assumed = {}): StubOptions {
    return { logLevel: 'silent', ...this.#input.stubs[api], assume };
  }

  async #withStubs<T>(
    start: (api: ServiceName) => Promise<Stub<ServiceName>>,
    work: (stubs: Stub<ServiceName>[]) => Promise<T>,
  ): Promise<T> {
    const stubs: Stub<ServiceName>[] = [];
    try {
      for (const api of this.#input.apis) stubs.push(await start(api));
      return await work(stubs);
    } finally {
      await Promise.all(stubs.map((stub) => stub.close()));
    }
  }
}

const ofApi = (candidates: readonly Candidate[], api: ServiceName) => candidates.filter((one) => one.api === api);
