import { Slots } from '../../../gateway/base/slots.ts';
import type { SettledBy } from '../../../spec/gaps/gap.ts';
import { notCalled } from '../../../stubs/suite/environment.ts';
import { CouldNotRun } from '../could-not-run.ts';
import { Hider } from '../secrets.ts';
import { today } from '../today.ts';
import { readBeside } from '../verification/sources.ts';
import { adviceOf } from './advice.ts';
import { candidatesOf, isNamed, questionsOf } from './candidates.ts';
import { type ProbeInput, Runs } from './runs.ts';
import { findFailing } from './search.ts';
import type { Acceptance, Candidate, Dependency, Failure, ProbeReport } from './types.ts';

/**
 * Finds the alternatives of the register under which the run fails. Throws `CouldNotRun`. If the signal stops the search, the
 * report says what was found.
 */
export async function runProbe(input: ProbeInput): Promise<ProbeReport> {
  const { apis, command, only = [], assumptions, signal } = input;
  const startedAt = performance.now();
  const acceptances = assumptions === false ? [] : ((await readBeside(assumptions))?.assumptions ?? []);
  const asked = apis.flatMap(candidatesOf).filter((one) => only.length === 0 || isNamed(one, only));
  // Two APIs share the harmless changes, which are made to both at once.
  const candidates = asked.filter(({ id }, at) => asked.findIndex((one) => one.id === id) === at);

  const runs = new Runs(input);
  await plainRuns(input, runs);
  const exercised = candidates.filter(({ id }) => runs.exercised.has(id));
  const failing = new Map<string, Failure>();
  const notReproducible: ProbeReport['notReproducible'] = [];
  const foundFor = (who: SettledBy): Dependency[] =>
    exercised.flatMap((one) => {
      const failure = failing.get(one.id);
      if (failure === undefined || one.settledBy !== who) return [];
      const differences = runs.exercised.get(one.id) ?? [];
      const alternative = { ...one, differences, advice: adviceOf(one, differences) };
      return [{ alternatives: [alternative], ...failure, ...standingOf(one, acceptances) }];
    });
  const found = () => ({ dependencies: foundFor('client'), questions: foundFor('owner') });
  const slots = new Slots(input.jobs);
  let waiting = 0;
  const run = async (set: readonly string[]) => {
    waiting += 1;
    const failure = await slots.use(() => runs.under(set));
    waiting -= 1;
    input.onProgress?.({ runs: runs.count, waiting, ...found() });
    return failure;
  };
  try {
    for (const who of ['client', 'owner']) {
      const own = exercised.filter(({ settledBy }) => settledBy === who);
      await findFailing(questionsOf(own, only), { run, failing, notReproducible });
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
  return {
    apis: [...apis],
    command: new Hider().text(command),
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
async function plainRuns({ apis, command, jobs }: ProbeInput, runs: Runs): Promise<void> {
  const first = await runs.under([]);
  if (first) throw plainFailed(`The first run of ${command} against a plain stub failed (${first.reason}).`, first);
  // Some harmless changes show in every reply.
  if (runs.exercised.size === 0) throw new CouldNotRun(notCalled(command, apis));
  const second = await Promise.all(Array.from({ length: jobs }, () => runs.under([])));
  const failed = second.find((one) => one !== undefined);
  const why = jobs > 1 ? 'It is flaky, or cannot run beside another one: --jobs 1 makes one run at a time.' : 'It is flaky.';
  if (failed)
    throw plainFailed(`The first run of ${command} passed, and the second run failed (${failed.reason}). ${why}`, failed);
}

function plainFailed(what: string, { lastLines, failedTests }: Failure): CouldNotRun {
  const failed = failedTests.length > 0 ? `\nFailed: ${failedTests.slice(0, 10).join(', ')}` : '';
  const output = lastLines.length > 0 ? `\nIts last lines:\n${lastLines.map((line) => `  ${line}`).join('\n')}` : '';
  return new CouldNotRun(`${what} It must pass each time.${failed}${output}`);
}

/** Whether somebody accepts a dependency on this gap. */
function standingOf({ gap }: Candidate, acceptances: readonly Acceptance[]): Pick<Dependency, 'standing' | 'acceptance'> {
  const entries = acceptances.filter((one) => one.gap === gap);
  const acceptance = entries.find(({ expiry }) => expiry >= today()) ?? entries.at(-1);
  if (acceptance === undefined) return { standing: 'new' };
  return { standing: acceptance.expiry >= today() ? 'accepted' : 'expired', acceptance };
}
