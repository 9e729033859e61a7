import { Slots } from '../../../gateway/base/slots.ts';
import type { SettledBy } from '../../../spec/gaps/gap.ts';
import { notCalled } from '../../../stubs/suite/environment.ts';
import { CouldNotRun } from '../could-not-run.ts';
import { Hider, secretsIn } from '../secrets.ts';
import { today } from '../today.ts';
import { readBeside } from '../verification/sources.ts';
import { adviceOf } from './advice.ts';
import { candidatesOf, isNamed, questionsOf } from './candidates.ts';
import type { Exercised } from './exercised.ts';
import { Runs, type RunsInput } from './runs.ts';
import { findFailing } from './search.ts';
import type { Acceptance, Candidate, Dependency, Difference, Failure, ProbeOptions, ProbeReport } from './types.ts';

export interface ProbeInput extends RunsInput, Pick<ProbeOptions, 'only' | 'assumptions'> {
  jobs: number;
  /** Called after each run. `waiting`: runs that are under way or wait. Those that fail lead to further ones. */
  onProgress?(progress: Pick<ProbeReport, 'runs' | 'dependencies' | 'questions'> & { waiting: number }): void;
}

/**
 * Finds the alternatives of the register under which the runner fails. Throws `CouldNotRun`. If the signal stops the search, the
 * report says what was found.
 */
export async function runProbe(input: ProbeInput): Promise<ProbeReport> {
  const { apis, runner, only = [], assumptions, signal } = input;
  const startedAt = performance.now();
  const acceptances = assumptions === false ? [] : ((await readBeside(assumptions))?.assumptions ?? []);
  const asked = apis.flatMap(candidatesOf).filter((one) => only.length === 0 || isNamed(one, only));
  // Two APIs share the harmless changes, which are made to both at once.
  const candidates = asked.filter(({ id }, at) => asked.findIndex((one) => one.id === id) === at);
  const runs = new Runs(input);
  const different: Exercised = new Map();
  await plainRuns(input, runs, () => runs.under([], different));
  const exercised = candidates.filter(({ id }) => different.has(id));

  const failing = new Map<string, Failure>();
  const notReproducible: ProbeReport['notReproducible'] = [];
  const foundFor = (who: SettledBy): Dependency[] =>
    exercised.flatMap((one) => {
      const failure = failing.get(one.id);
      if (failure === undefined || one.settledBy !== who) return [];
      return [dependencyOf(one, failure, different.get(one.id) ?? [], acceptances)];
    });
  const found = () => ({ dependencies: foundFor('client'), questions: foundFor('owner') });
  const slots = new Slots(input.jobs);
  let waiting = 0;
  const search = {
    failing,
    async run(set: readonly string[]) {
      waiting += 1;
      const failure = await slots.use(() => runs.under(set));
      waiting -= 1;
      input.onProgress?.({ runs: runs.count, waiting, ...found() });
      return failure;
    },
    acquit: (set: readonly string[], { failedTests }: Failure) =>
      void notReproducible.push({ alternatives: [...set], failedTests: failedTests.map(new Hider().text) }),
  };
  try {
    for (const who of ['client', 'owner']) {
      const own = exercised.filter(({ settledBy }) => settledBy === who);
      await findFailing(questionsOf(own, only), search);
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
  return {
    apis: [...apis],
    command: new Hider().text(runner.name),
    runs: runs.count,
    durationMs: Math.round(performance.now() - startedAt),
    ...found(),
    exercised,
    notExercised: candidates.filter((one) => !exercised.includes(one)),
    coverage: Math.round((1000 * exercised.length) / candidates.length) / 10,
    notReproducible,
    stopped: signal?.aborted === true,
  };
}

/** Runs once alone, and then as the search will. Throws `CouldNotRun` if one fails. */
async function plainRuns({ runner, apis, jobs }: ProbeInput, runs: Runs, run: () => Promise<Failure | undefined>) {
  const first = await run();
  if (first) throw plainFailed(`The first run of ${runner.name} against a plain stub failed (${first.reason}).`, first);
  if (runs.calls === 0) throw new CouldNotRun(notCalled(runner.name, apis));
  const second = await Promise.all(Array.from({ length: jobs }, () => run()));
  const failed = second.find((one) => one !== undefined);
  const why = jobs > 1 ? 'It is flaky, or cannot run beside another one: --jobs 1 makes one run at a time.' : 'It is flaky.';
  if (failed)
    throw plainFailed(`The first run of ${runner.name} passed, and the second run failed (${failed.reason}). ${why}`, failed);
}

function plainFailed(what: string, { lastLines, failedTests }: Failure): CouldNotRun {
  const failed = failedTests.length > 0 ? `\nFailed: ${failedTests.slice(0, 10).join(', ')}` : '';
  const output = lastLines.length > 0 ? `\nIts last lines:\n${lastLines.map((line) => `  ${line}`).join('\n')}` : '';
  return new CouldNotRun(`${what} It must pass each time.${failed}${output}`);
}

function dependencyOf(
  candidate: Candidate,
  { failedTests, reason, lastLines }: Failure,
  differences: Difference[],
  acceptances: readonly Acceptance[],
): Dependency {
  const entries = acceptances.filter(({ gap }) => gap === candidate.gap);
  const acceptance = entries.find(({ expiry }) => expiry >= today()) ?? entries.at(-1);
  const standing = acceptance === undefined ? 'new' : acceptance.expiry >= today() ? 'accepted' : 'expired';
  const { text } = new Hider(secretsIn(lastLines));
  return {
    alternatives: [{ ...candidate, differences, advice: adviceOf(candidate, differences) }],
    failedTests: failedTests.map(text),
    reason,
    lastLines: lastLines.map(text),
    standing,
    ...(acceptance && { acceptance }),
  };
}
