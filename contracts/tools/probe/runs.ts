import type { ServiceName } from '../../../spec/documents/services.ts';
import { startWatchedStub } from '../../../stubs/stub.ts';
import { environmentOf, type Variables } from '../../../stubs/suite/environment.ts';
import { withStubs } from '../../../stubs/suite/with-stubs.ts';
import type { Stub, StubOptions } from '../../../stubs/types.ts';
import { Hider, secretsIn } from '../secrets.ts';
import { candidatesOf } from './candidates.ts';
import { type Exercised, judgeUse } from './exercised.ts';
import type { Failure, ProbeOptions, ProbeReport, ProbeRun } from './types.ts';

export interface ProbeInput extends Pick<ProbeOptions, 'only' | 'timeoutMs' | 'assumptions' | 'signal'> {
  apis: readonly ServiceName[];
  /** What is run under each set of alternatives, as reports name it. */
  command: string;
  /** Returns how it failed; undefined if it passed. */
  run(context: ProbeRun): Promise<Failure | undefined>;
  jobs: number;
  optionsOf(api: ServiceName): Pick<StubOptions, 'seed' | 'webhooks'>;
  /** Further variables of the environment, by the API whose stub they are about. */
  variables: Variables;
  /** Called after each run. `waiting`: runs that are under way or wait. Those that fail lead to further ones. */
  onProgress?(progress: Pick<ProbeReport, 'runs' | 'dependencies' | 'questions'> & { waiting: number }): void;
}

/** The limit of a plain run: nobody knows yet how long one takes. */
const plainLimitMs = 15 * 60_000;

/** Makes runs, each with fresh stubs. */
export class Runs {
  readonly #input: ProbeInput;
  readonly #busy = new Set<number>();
  #slowestMs = 0;
  /** Runs that ended. One that was stopped tells nothing. */
  count = 0;
  /** Of the plain runs. */
  readonly exercised: Exercised = new Map();

  constructor(input: ProbeInput) {
    this.#input = input;
  }

  /** Runs under these alternatives. It is a plain run if there are none. Rejects if the signal stopped it. */
  under(set: readonly string[]): Promise<Failure | undefined> {
    const { apis, run, optionsOf, variables, timeoutMs, signal } = this.#input;
    const isPlain = set.length === 0;
    const limitMs = timeoutMs ?? (isPlain ? plainLimitMs : 3 * this.#slowestMs + 5000);
    const start = (api: ServiceName): Promise<Stub<ServiceName>> => {
      signal?.throwIfAborted();
      const own = candidatesOf(api).filter(({ id }) => set.includes(id));
      return startWatchedStub(api, { logLevel: 'silent', ...optionsOf(api), assume: own.map(({ id }) => id) });
    };
    return withStubs(apis, start, async (stubs) => {
      const judged = isPlain ? stubs.map((stub) => judgeUse(stub, this.exercised)) : [];
      let slot = 0;
      while (this.#busy.has(slot)) slot += 1;
      this.#busy.add(slot);
      const env = { ...environmentOf(stubs, variables), PASSERELLE_PROBE_RUN: String(slot) };
      const urls = Object.fromEntries(stubs.map(({ api, url }) => [api, url]));
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(new Error('The time of the run is over.')), limitMs);
      const startedAt = performance.now();
      try {
        const failure = await run({ env, urls, slot, signal: AbortSignal.any([late.signal, ...(signal ? [signal] : [])]) });
        signal?.throwIfAborted();
        const durationMs = performance.now() - startedAt;
        this.count += 1;
        if (isPlain) this.#slowestMs = Math.max(this.#slowestMs, durationMs);
        for (const settled of judged) await settled();
        if (failure && late.signal.aborted) failure.reason = `stopped after ${(durationMs / 1000).toFixed(1)} s`;
        return failure && withoutSecrets(failure);
      } finally {
        clearTimeout(timer);
        this.#busy.delete(slot);
      }
    });
  }
}

function withoutSecrets({ failedTests, reason, lastLines }: Failure): Failure {
  const { text } = new Hider(secretsIn(lastLines));
  return { failedTests: failedTests.map(text), reason, lastLines: lastLines.map(text) };
}
