import { Slots } from '../../../gateway/base/slots.ts';
import type { SettledBy } from '../../../spec/gaps/gap.ts';
import { notCalled } from '../../../stubs/suite/environment.ts';
import { CouldNotRun } from '../could-not-run.ts';
import { Hider } from '../secrets.ts';
import { today } from '../today.ts';
import { readBeside } from '../verification/sources.ts';
import { adviceOf } from './advice.ts';
import { candidatesOf, isNamed, questionsOf } from './candidates.ts';
import type { Exercised } from './exercised.ts';
import { type ProbeInput, runOnce } from './runs.ts';
import { findFailing } from './search.ts';
import type { Acceptance, Candidate, Dependency, Difference, Failure, ProbeReport } from './types.ts';

/** The limit of a plain run: nobody knows yet how long one takes. */
const plainLimitMs = 15 * 60_000;

/**
 * Finds the alternatives of the register under which the run fails. Throws `CouldNotRun`. If the signal stops the search, the
 * report says what was found.
 */
export async function runProbe(input: ProbeInput): Promise<ProbeReport> {
  const { apis, command, only = [], jobs, assumptions, signal } = input;
  const startedAt = performance.now();
  const acceptances = assumptions === false ? [] : ((await readBeside(assumptions))?.assumptions ?? []);
  const asked = apis.flatMap(candidatesOf).filter((one) => only.length === 0 || isNamed(one, only));
  // Two APIs share the harmless changes, which are made to both at once.
  const candidates = asked.filter(({ id }, at) => asked.findIndex((one) => one.id === id) === at);

  const slots = new Slots(jobs);
  const busy = new Set<number>();
  let runs = 0;
  let slowestMs = 0;
  let limitMs = input.timeoutMs ?? plainLimitMs;
  const run = (set: readonly string[], exercised?: Exercised) =>
    slots.use(async () => {
      let slot = 0;
      while (busy.has(slot)) slot += 1;
      busy.add(slot);
      const begun = performance.now();
      const failure = await runOnce(input, { set, slot, limitMs, exercised }).finally(() => busy.delete(slot));
      slowestMs = Math.max(slowestMs, performance.now() - begun);
      runs += 1;
      return failure;
    });
  const different: Exercised = new Map();
  await plainRuns(input, different, () => run([], different));
  limitMs = input.timeoutMs ?? 3 * slowestMs + 5000;

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
  let waiting = 0;
  const search = {
    failing,
    notReproducible,
    async run(set: readonly string[]) {
      waiting += 1;
      const failure = await run(set);
      waiting -= 1;
      input.onProgress?.({ runs, waiting, ...found() });
      return failure;
    },
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
    command: new Hider().text(command),
    runs,
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
async function plainRuns({ apis, command, jobs }: ProbeInput, exercised: Exercised, run: () => Promise<Failure | undefined>) {
  const first = await run();
  if (first) throw plainFailed(`The first run of ${command} against a plain stub failed (${first.reason}).`, first);
  // Some harmless changes show in every reply.
  if (exercised.size === 0) throw new CouldNotRun(notCalled(command, apis));
  const second = await Promise.all(Array.from({ length: jobs }, run));
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

function dependencyOf(
  candidate: Candidate,
  failure: Failure,
  differences: Difference[],
  acceptances: readonly Acceptance[],
): Dependency {
  const entries = acceptances.filter(({ gap }) => gap === candidate.gap);
  const acceptance = entries.find(({ expiry }) => expiry >= today()) ?? entries.at(-1);
  const standing = acceptance === undefined ? 'new' : acceptance.expiry >= today() ? 'accepted' : 'expired';
  const alternative = { ...candidate, differences, advice: adviceOf(candidate, differences) };
  return { alternatives: [alternative], ...failure, standing, ...(acceptance && { acceptance }) };
}
