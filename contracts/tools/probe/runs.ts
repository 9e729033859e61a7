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

interface RunOptions {
  /** The alternatives under which stubs answer. */
  set: readonly string[];
  slot: number;
  limitMs: number;
  /** Gets the alternatives that would have changed something. */
  exercised?: Exercised | undefined;
}

/** Runs once, with fresh stubs. Throws the signal's reason if it was stopped, because such a run tells nothing. */
export function runOnce(
  { apis, run, optionsOf, variables, signal }: ProbeInput,
  { set, slot, limitMs, exercised }: RunOptions,
): Promise<Failure | undefined> {
  const start = (api: ServiceName): Promise<Stub<ServiceName>> => {
    signal?.throwIfAborted();
    const ids = candidatesOf(api).map(({ id }) => id);
    const assume = ids.filter((id) => set.includes(id));
    return startWatchedStub(api, { logLevel: 'silent', ...optionsOf(api), assume });
  };
  return withStubs(apis, start, async (stubs) => {
    const judged = exercised ? stubs.map((stub) => judgeUse(stub, exercised)) : [];
    const env = { ...environmentOf(stubs, variables), PASSERELLE_PROBE_RUN: String(slot) };
    const urls = Object.fromEntries(stubs.map(({ api, url }) => [api, url]));
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error('The time of the run is over.')), limitMs);
    const startedAt = performance.now();
    try {
      const failure = await run({ env, urls, slot, signal: AbortSignal.any([late.signal, ...(signal ? [signal] : [])]) });
      signal?.throwIfAborted();
      for (const settled of judged) await settled();
      if (failure === undefined) return undefined;
      const { text } = new Hider(secretsIn(failure.lastLines));
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      return {
        failedTests: failure.failedTests.map(text),
        reason: late.signal.aborted ? `stopped after ${seconds} s` : failure.reason,
        lastLines: failure.lastLines.map(text),
      };
    } finally {
      clearTimeout(timer);
    }
  });
}
