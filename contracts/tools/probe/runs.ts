import type { ServiceName } from '../../../spec/documents/services.ts';
import type { Assumed } from '../../../stubs/assume/chosen.ts';
import { type Stub, type StubOptions, startStub } from '../../../stubs/stub.ts';
import { environmentOf, type Variables } from '../../../stubs/suite/environment.ts';
import { withStubs } from '../../../stubs/suite/with-stubs.ts';
import { assumedOf } from './candidates.ts';
import { type Exercised, startExercised } from './exercised.ts';
import type { Outcome, Played, ProbeRun } from './types.ts';

/** What is run under each set of alternatives: a command, or a function. */
export interface Runner {
  /** As reports name it. */
  readonly name: string;
  run(context: ProbeRun): Promise<Ended>;
}

/** `passedTests`: absent if the command names failures only. */
export type Ended = Pick<Outcome, 'passed' | 'failedTests' | 'reason' | 'lastLines'> & { passedTests?: string[] | undefined };

export interface RunsInput {
  apis: readonly ServiceName[];
  candidates: readonly Played[];
  runner: Runner;
  stubs: Partial<Record<ServiceName, Pick<StubOptions, 'seed' | 'webhooks'>>>;
  /** Further variables of the environment, by the API whose stub they are about. */
  variables: Variables;
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
  /** The receivers of `--webhook` to which the first run sent, and whether one of its webhooks was answered. */
  readonly answered = new Map<string, boolean>();

  constructor(input: RunsInput, timeoutMs: number) {
    this.#input = input;
    this.timeoutMs = timeoutMs;
  }

  /** Runs under these alternatives and those of every run. The first run notes in `exercised` which others would have changed something. */
  async under(set: readonly string[], exercised?: Exercised): Promise<Outcome> {
    const { apis, base, candidates, stubs: options } = this.#input;
    this.#input.signal?.throwIfAborted();
    const start = async (api: ServiceName) => {
      const assume = { ...base[api], ...assumedOf(candidates, set, api) };
      const own: StubOptions = { logLevel: 'silent', ...options[api], assume };
      const asked = candidates.filter((one) => one.api === api);
      return exercised
        ? this.#watched(api, await startExercised(api, own, { candidates: asked, exercised }))
        : startStub(api, own);
    };
    return withStubs(apis, start, async (stubs) => {
      const { passedTests, ...outcome } = await this.once(stubs);
      if (exercised) {
        this.tests = passedTests;
        this.calls = stubs.reduce((sum, stub) => sum + stub.calls().length, 0);
      }
      if (outcome.passed || this.tests === undefined) return outcome;
      const told = new Set([...(passedTests ?? []), ...outcome.failedTests]);
      return { ...outcome, notRun: this.tests.filter((name) => !told.has(name)) };
    });
  }

  #watched<A extends ServiceName>(api: A, stub: Stub<A>): Stub<A> {
    const receivers = (this.#input.stubs[api]?.webhooks ?? []).map(({ url }) => new URL(url).href);
    stub.subscribe((event) => {
      if (event.kind !== 'attempt' || !receivers.includes(event.attempt.url)) return;
      const { url, responseStatus } = event.attempt;
      this.answered.set(url, responseStatus !== null || this.answered.get(url) === true);
    });
    return stub;
  }

  /** Makes one run with these stubs. */
  async once(stubs: readonly Stub<ServiceName>[]): Promise<Ended & Outcome> {
    const { runner, variables, signal } = this.#input;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error('The time of the run is over.')), this.timeoutMs);
    let slot = 0;
    while (this.#busy.has(slot)) slot += 1;
    this.#busy.add(slot);
    const env = { ...environmentOf(stubs, variables), PASSERELLE_PROBE_RUN: String(slot) };
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
