import type { ServiceName } from '../../../spec/documents/services.ts';
import { parseAssumed } from '../../../stubs/assume/assumptions.ts';
import { startWatchedStub } from '../../../stubs/stub.ts';
import { environmentOf, type Variables } from '../../../stubs/suite/environment.ts';
import { withStubs } from '../../../stubs/suite/with-stubs.ts';
import type { Stub, StubOptions } from '../../../stubs/types.ts';
import { type Exercised, judgeUse } from './exercised.ts';
import type { Candidate, Outcome, ProbeRun } from './types.ts';

/** What is run under each set of alternatives: a command, or a function. */
export interface Runner {
  /** As reports name it. */
  readonly name: string;
  run(context: ProbeRun): Promise<Outcome>;
}

export interface RunsInput {
  apis: readonly ServiceName[];
  candidates: readonly Candidate[];
  runner: Runner;
  stubs: Partial<Record<ServiceName, Pick<StubOptions, 'seed' | 'webhooks'>>>;
  /** Further variables of the environment, by the API whose stub they are about. */
  variables: Variables;
  signal?: AbortSignal | undefined;
}

/** Makes runs, each with fresh stubs. */
export class Runs {
  readonly #input: RunsInput;
  readonly #busy = new Set<number>();
  timeoutMs: number;
  /** Runs that ended. One that was stopped tells nothing. */
  count = 0;
  /** Calls that stubs got. */
  calls = 0;
  slowestMs = 0;

  constructor(input: RunsInput, timeoutMs: number) {
    this.#input = input;
    this.timeoutMs = timeoutMs;
  }

  /** Runs under these alternatives. Notes in `exercised` which of the candidates would have changed something. */
  under(set: readonly string[], exercised?: Exercised): Promise<Outcome> {
    const { apis, candidates, stubs: options, signal } = this.#input;
    const start = (api: ServiceName): Promise<Stub<ServiceName>> => {
      signal?.throwIfAborted();
      const own = candidates.filter((one) => one.api === api && set.includes(one.id));
      return startWatchedStub(api, { logLevel: 'silent', ...options[api], assume: parseAssumed(own.map(({ id }) => id)) });
    };
    return withStubs(apis, start, async (stubs) => {
      for (const stub of stubs)
        stub.subscribe(({ kind }) => {
          if (kind === 'call') this.calls += 1;
        });
      const judged = exercised ? stubs.map((stub) => judgeUse(stub, candidates, exercised)) : [];
      const outcome = await this.#run(stubs);
      for (const settled of judged) await settled();
      return outcome;
    });
  }

  async #run(stubs: readonly Stub<ServiceName>[]): Promise<Outcome> {
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
      const durationMs = performance.now() - startedAt;
      this.count += 1;
      this.slowestMs = Math.max(this.slowestMs, durationMs);
      return late.signal.aborted
        ? { ...ended, passed: false, reason: `stopped after ${(durationMs / 1000).toFixed(1)} s` }
        : ended;
    } finally {
      clearTimeout(timer);
      this.#busy.delete(slot);
    }
  }
}
