import type { ServiceName } from '../../../spec/documents/services.ts';
import { startWatchedStub } from '../../../stubs/stub.ts';
import { environmentOf, type Variables } from '../../../stubs/suite/environment.ts';
import { withStubs } from '../../../stubs/suite/with-stubs.ts';
import type { Stub, StubOptions } from '../../../stubs/types.ts';
import { candidatesOf } from './candidates.ts';
import { type Exercised, judgeUse } from './exercised.ts';
import type { Failure, ProbeOptions, ProbeRun } from './types.ts';

/** What is run under each set of alternatives: a command, or a function. */
export interface Runner {
  /** As reports name it. */
  readonly name: string;
  /** Returns how it failed; undefined if it passed. */
  run(context: ProbeRun): Promise<Failure | undefined>;
}

export interface RunsInput extends Pick<ProbeOptions, 'timeoutMs' | 'signal'> {
  apis: readonly ServiceName[];
  runner: Runner;
  stubs: Partial<Record<ServiceName, Pick<StubOptions, 'seed' | 'webhooks'>>>;
  /** Further variables of the environment, by the API whose stub they are about. */
  variables: Variables;
}

/** The limit of a plain run: nobody knows yet how long one takes. */
const plainLimitMs = 15 * 60_000;

/** Makes runs, each with fresh stubs. */
export class Runs {
  readonly #input: RunsInput;
  readonly #busy = new Set<number>();
  /** Of the plain runs. */
  #slowestMs = 0;
  /** Runs that ended. One that was stopped tells nothing. */
  count = 0;
  /** Calls that stubs got. */
  calls = 0;

  constructor(input: RunsInput) {
    this.#input = input;
  }

  /** Runs under these alternatives. A plain run, without any, notes in `exercised` which ones would have changed something. */
  under(set: readonly string[], exercised?: Exercised): Promise<Failure | undefined> {
    const { apis, stubs: options, signal } = this.#input;
    const start = (api: ServiceName): Promise<Stub<ServiceName>> => {
      signal?.throwIfAborted();
      const ids = candidatesOf(api).map(({ id }) => id);
      const assume = ids.filter((id) => set.includes(id));
      return startWatchedStub(api, { logLevel: 'silent', ...options[api], assume });
    };
    return withStubs(apis, start, async (stubs) => {
      for (const stub of stubs)
        stub.subscribe(({ kind }) => {
          if (kind === 'call') this.calls += 1;
        });
      const judged = exercised ? stubs.map((stub) => judgeUse(stub, exercised)) : [];
      const failure = await this.#run(stubs, exercised !== undefined);
      for (const settled of judged) await settled();
      return failure;
    });
  }

  async #run(stubs: readonly Stub<ServiceName>[], isPlain: boolean): Promise<Failure | undefined> {
    const { runner, variables, timeoutMs, signal } = this.#input;
    const limitMs = timeoutMs ?? (isPlain ? plainLimitMs : 3 * this.#slowestMs + 5000);
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error('The time of the run is over.')), limitMs);
    let slot = 0;
    while (this.#busy.has(slot)) slot += 1;
    this.#busy.add(slot);
    const env = { ...environmentOf(stubs, variables), PASSERELLE_PROBE_RUN: String(slot) };
    const urls = Object.fromEntries(stubs.map(({ api, url }) => [api, url]));
    const startedAt = performance.now();
    try {
      const failure = await runner.run({ env, urls, slot, signal: AbortSignal.any([late.signal, ...(signal ? [signal] : [])]) });
      signal?.throwIfAborted();
      const durationMs = performance.now() - startedAt;
      this.count += 1;
      if (isPlain) this.#slowestMs = Math.max(this.#slowestMs, durationMs);
      if (failure && late.signal.aborted) failure.reason = `stopped after ${(durationMs / 1000).toFixed(1)} s`;
      return failure;
    } finally {
      clearTimeout(timer);
      this.#busy.delete(slot);
    }
  }
}
