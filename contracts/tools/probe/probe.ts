import { Slots } from '../../../gateway/base/slots.ts';
import { notCalled } from '../../../stubs/suite/environment.ts';
import { CouldNotRun } from '../could-not-run.ts';
import { Hider, secretsIn } from '../secrets.ts';
import { adviceOf } from './advice.ts';
import { candidatesOf, isNamed, questionsOf } from './candidates.ts';
import type { Exercised } from './exercised.ts';
import { Runs, type RunsInput } from './runs.ts';
import { findFailing, findQuestions } from './search.ts';
import type { Acceptance, Candidate, Dependency, Outcome, ProbeReport } from './types.ts';

export interface ProbeInput extends Omit<RunsInput, 'candidates'> {
  /** Groups, gaps, or alternatives as `GAP=ALTERNATIVE`, to ask about. Default: all. */
  only?: readonly string[] | undefined;
  jobs: number;
  /** The limit of one run. Default: three times the slowest plain run, and 5 s. */
  timeoutMs?: number | undefined;
  acceptances: readonly Acceptance[];
  /** YYYY-MM-DD. */
  today: string;
  /** Called after each run. `waiting`: runs that are under way or wait. Those that fail lead to further ones. */
  onProgress?: ((progress: Pick<ProbeReport, 'runs' | 'dependencies' | 'questions'> & { waiting: number }) => void) | undefined;
}

/** The limit of a plain run: nobody knows yet how long one takes. */
const plainLimitMs = 15 * 60_000;

/**
 * Finds the alternatives of the register under which the runner fails. Throws `CouldNotRun`. If the signal stops the search, the
 * report says what was found.
 */
export async function runProbe(input: ProbeInput): Promise<ProbeReport> {
  const { apis, runner, signal } = input;
  const startedAt = performance.now();
  const { only = [] } = input;
  const asked = apis.flatMap(candidatesOf).filter((one) => only.length === 0 || isNamed(one, only));
  // Two APIs share the harmless changes, which are made to both at once.
  const candidates = asked.filter(({ id }, at) => asked.findIndex((one) => one.id === id) === at);
  const runs = new Runs({ ...input, candidates: asked }, input.timeoutMs ?? plainLimitMs);
  const different: Exercised = new Map();
  await plainRuns(input, runs, () => runs.under([], different));
  runs.timeoutMs = input.timeoutMs ?? 3 * runs.slowestMs + 5000;
  const exercised = candidates.filter(({ id }) => different.has(id));

  const dependencies: Dependency[] = [];
  const questions: Dependency[] = [];
  const notReproducible: ProbeReport['notReproducible'] = [];
  const slots = new Slots(input.jobs);
  let waiting = 0;
  const searching = (found: Dependency[]) => ({
    async run(set: readonly string[]) {
      waiting += 1;
      const outcome = await slots.use(() => runs.under(set));
      waiting -= 1;
      input.onProgress?.({ runs: runs.count, waiting, dependencies, questions });
      return outcome;
    },
    blame: (id: string, outcome: Outcome) =>
      void found.push(...exercised.filter((one) => one.id === id).map((one) => dependencyOf(one, outcome, different, input))),
    acquit: (set: readonly string[], { failedTests }: Outcome) =>
      void notReproducible.push({ alternatives: [...set], failedTests: failedTests.map(new Hider().text) }),
  });
  try {
    const clients = exercised.filter(({ settledBy }) => settledBy === 'client');
    await findFailing(
      clients.map(({ id }) => id),
      searching(dependencies),
    );
    await findQuestions(questionsOf(exercised, only), searching(questions));
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
  const place = ({ alternatives: [{ id }] }: Dependency) => candidates.findIndex((one) => one.id === id);
  for (const found of [dependencies, questions]) found.sort((one, other) => place(one) - place(other));
  return {
    apis: [...apis],
    command: new Hider().text(runner.name),
    runs: runs.count,
    durationMs: Math.round(performance.now() - startedAt),
    dependencies,
    questions,
    exercised,
    notExercised: candidates.filter((one) => !exercised.includes(one)),
    coverage: Math.round((1000 * exercised.length) / candidates.length) / 10,
    notReproducible,
    stopped: signal?.aborted === true,
  };
}

/** Runs once alone, and then as the search will. Throws `CouldNotRun` if one fails. */
async function plainRuns({ runner, apis, jobs }: ProbeInput, runs: Runs, run: () => Promise<Outcome>) {
  const first = await run();
  if (!first.passed) throw plainFailed(`The first run of ${runner.name} against a plain stub failed (${first.reason}).`, first);
  if (runs.calls === 0) throw new CouldNotRun(notCalled(runner.name, apis));
  const second = await Promise.all(Array.from({ length: jobs }, () => run()));
  const failed = second.find(({ passed }) => !passed);
  const why = jobs > 1 ? 'It is flaky, or cannot run beside another one: --jobs 1 makes one run at a time.' : 'It is flaky.';
  if (failed)
    throw plainFailed(`The first run of ${runner.name} passed, and the second run failed (${failed.reason}). ${why}`, failed);
}

function plainFailed(what: string, { lastLines, failedTests }: Outcome): CouldNotRun {
  const failed = failedTests.length > 0 ? `\nFailed: ${failedTests.slice(0, 10).join(', ')}` : '';
  const output = lastLines.length > 0 ? `\nIts last lines:\n${lastLines.map((line) => `  ${line}`).join('\n')}` : '';
  return new CouldNotRun(`${what} It must pass each time.${failed}${output}`);
}

function dependencyOf(
  candidate: Candidate,
  { failedTests, reason, lastLines }: Outcome,
  different: Exercised,
  { acceptances, today }: ProbeInput,
): Dependency {
  const differences = different.get(candidate.id) ?? [];
  const entries = acceptances.filter(({ gap }) => gap === candidate.gap);
  const acceptance = entries.find(({ expiry }) => expiry >= today) ?? entries.at(-1);
  const standing = acceptance === undefined ? 'new' : acceptance.expiry >= today ? 'accepted' : 'expired';
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
