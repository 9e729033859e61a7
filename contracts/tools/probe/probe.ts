import { seededRandom } from '../../../stubs/faults/random.ts';
import { notCalled } from '../../../stubs/suite/environment.ts';
import { CouldNotRun } from '../could-not-run.ts';
import { adviceOf } from './advice.ts';
import { candidatesOf, excludes, isNamed, questionsOf } from './candidates.ts';
import type { Exercised } from './exercised.ts';
import { baseOf, isOpen, type ObservedApis } from './observed.ts';
import { Runs, type RunsInput } from './runs.ts';
import { keyOf } from './search/evidence.ts';
import { type Blamed, type Found, nothingFound } from './search/types.ts';
import { search } from './search.ts';
import type { Acceptance, Candidate, Dependency, Outcome, ProbeReport } from './types.ts';

/** Outcomes of runs that were made before, by alternatives and number. */
export interface KnownRuns {
  get(key: string): Outcome | undefined;
  set(key: string, outcome: Outcome): void;
  /** Forgets all if these are not the tests of the runs that it knows. Returns true if it did. */
  forgetOthers?(tests: readonly string[]): boolean;
}

export interface Progress {
  /** `plain`: runs without alternatives. */
  phase: 'plain' | 'search';
  runs: number;
  /** Runs that are probably left. */
  left: number;
  /** Milliseconds that are probably left. */
  leftMs: number;
  dependencies: number;
  questions: number;
}

export interface ProbeInput extends Omit<RunsInput, 'candidates' | 'base'> {
  /** Groups, gaps, or alternatives as `GAP=ALTERNATIVE`, to ask about. Default: all. */
  only?: readonly string[] | undefined;
  /** What was seen of the services. */
  observed?: ObservedApis | undefined;
  jobs: number;
  /** Makes the order of the runs. */
  seed: string;
  /** The limit of one run. Default: three times the slowest plain run, and 5 s. */
  timeoutMs?: number | undefined;
  acceptances: readonly Acceptance[];
  /** YYYY-MM-DD. */
  today: string;
  known?: KnownRuns | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** A probe that was stopped, with what it had found. */
export class Stopped extends Error {
  readonly report: ProbeReport;

  constructor(report: ProbeReport) {
    super('The probe was stopped.');
    this.report = report;
  }
}

/** The limit of a plain run: nobody knows yet how long one takes. */
export const plainLimitMs = 15 * 60_000;

/** Finds the alternatives of the register under which the runner fails. Throws `CouldNotRun`, and `Stopped`. */
export async function runProbe(input: ProbeInput): Promise<ProbeReport> {
  const startedAt = performance.now();
  const asked = askedAbout(input);
  // Two APIs share the harmless changes, which are made to both at once.
  const candidates = asked.filter(({ id }, at) => asked.findIndex((one) => one.id === id) === at);
  const runs = new Runs({ ...input, candidates: asked, base: baseOf(input.observed ?? {}) }, input.timeoutMs ?? plainLimitMs);
  const differences: Exercised = new Map();
  const told = { runs: 0, left: 0, leftMs: 0, dependencies: 0, questions: 0 };
  const tell = () => input.onProgress?.({ ...told, phase: 'plain', runs: runs.count });
  const { slowestMs, jobs, notes } = await plainRuns(
    input,
    runs,
    (isFirst) => runs.under([], isFirst ? differences : undefined),
    tell,
  );
  runs.timeoutMs = input.timeoutMs ?? 3 * slowestMs + 5000;

  if (runs.tests && input.known?.forgetOthers?.(runs.tests))
    notes.push('The tests are not those of the probe that was stopped, so all runs were made again.');

  const exercised = candidates.filter(({ id }) => differences.has(id));
  const found = nothingFound<Outcome>();
  const tookMs = [slowestMs];
  const report = () => ({
    ...reportOf(input, candidates, differences, found),
    runs: runs.count,
    durationMs: Math.round(performance.now() - startedAt),
    notes,
  });
  try {
    await search<Outcome>({
      ...searchedFor(exercised, input),
      excludes,
      jobs,
      found,
      async run(set, again) {
        const key = `${keyOf(set)} #${again}`;
        const known = input.known?.get(key);
        if (known) return known;
        const outcome = await runs.under(set);
        tookMs.push(outcome.durationMs);
        input.known?.set(key, outcome);
        return outcome;
      },
      onProgress(left) {
        const leftMs = (left * tookMs.reduce((sum, ms) => sum + ms)) / tookMs.length / jobs;
        const [dependencies, questions] = [found.blamed.length, found.asked.length];
        input.onProgress?.({ phase: 'search', runs: runs.count, left, leftMs, dependencies, questions });
      },
    });
  } catch (error) {
    if (input.signal?.aborted) throw new Stopped({ ...report(), stopped: true, noLongerNeeded: [] });
    throw error;
  }
  return report();
}

/** The candidates of the search in the order in which they are tried: dependencies, and questions. */
export function searchedFor(exercised: readonly Candidate[], { seed, only = [] }: Pick<ProbeInput, 'seed' | 'only'>) {
  const clients = exercised.filter(({ settledBy }) => settledBy === 'client').map(({ id }) => id);
  return { candidates: inOrder(clients, seed), questions: inOrder(questionsOf(exercised, only), seed) };
}

/** The alternatives to ask about: the named ones, without those that were observed. Throws `CouldNotRun` if nothing is left. */
function askedAbout({ apis, only = [], observed = {} }: ProbeInput): Candidate[] {
  const named = apis.flatMap(candidatesOf).filter((one) => only.length === 0 || isNamed(one, only));
  const open = named.filter((one) => isOpen(one, observed));
  if (open.length > 0) return open;
  throw new CouldNotRun(
    `There is nothing to ask: what was observed settles ${only.length > 0 ? only.join(', ') : 'every question'}.`,
  );
}

type PlainInput = Pick<ProbeInput, 'apis' | 'jobs' | 'runner'>;

/** Runs once alone, and then as the search will. If one fails beside others, one runs at a time. Throws `CouldNotRun` if one fails alone. */
export async function plainRuns(input: PlainInput, runs: Runs, run: (isFirst: boolean) => Promise<Outcome>, tell: () => void) {
  const first = await run(true);
  if (!first.passed) throw plainFailed(input, 'first', first);
  if (runs.calls === 0) throw new CouldNotRun(notCalled(input.runner.name, input.apis));
  const [silent] = [...runs.answered].find(([, isAnswered]) => !isAnswered) ?? [];
  if (silent !== undefined)
    throw new CouldNotRun(`--webhook: nothing answers at ${silent}. Start your receiver first, or leave the option out.`);
  tell();
  const together = await Promise.all(Array.from({ length: input.jobs }, () => run(false)));
  tell();
  const failed = together.find(({ passed }) => !passed);
  const slowestMs = Math.max(first.durationMs, ...together.map(({ durationMs }) => durationMs));
  if (failed === undefined) return { slowestMs, jobs: input.jobs, notes: [] as string[] };
  const alone = input.jobs > 1 ? await run(false) : failed;
  if (!alone.passed) throw plainFailed(input, input.jobs > 1 ? 'third' : 'second', alone);
  const why = failed.failedTests[0] ?? failed.lastLines.at(-1) ?? failed.reason;
  const notes = [`A plain run failed (${why}) while another ran, so one ran at a time. --jobs 1 says so from the start.`];
  return { slowestMs: Math.max(first.durationMs, alone.durationMs), jobs: 1, notes };
}

function plainFailed({ runner }: PlainInput, which: string, { reason, lastLines, failedTests }: Outcome): CouldNotRun {
  const failed = failedTests.length > 0 ? `\nFailed: ${failedTests.slice(0, 10).join(', ')}` : '';
  const output = lastLines.length > 0 ? `\nIts last lines:\n${lastLines.map((line) => `  ${line}`).join('\n')}` : '';
  return new CouldNotRun(
    `The ${which} run of ${runner.name} against a plain stub failed (${reason}). It must pass each time.${failed}${output}`,
  );
}

function inOrder<T>(list: readonly T[], seed: string): T[] {
  const random = seededRandom(seed);
  const result = [...list];
  for (let at = result.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [result[at], result[other]] = [result[other] as T, result[at] as T];
  }
  return result;
}

function reportOf(
  { apis, runner, seed, acceptances, today }: ProbeInput,
  candidates: readonly Candidate[],
  exercised: Exercised,
  found: Found<Outcome>,
) {
  const order = ({ set: [first] }: Blamed<Outcome>) => candidates.findIndex(({ id }) => id === first);
  const dependencyOf = ({ set, verdict: { failedTests, reason, lastLines } }: Blamed<Outcome>): Dependency => {
    const blamed = set.flatMap((id) => candidates.filter((one) => one.id === id));
    const alternatives = blamed.map((one) => {
      const differences = exercised.get(one.id) ?? [];
      return { ...one, differences, advice: adviceOf(one, differences) };
    });
    const entries = acceptances.filter(({ gap }) => alternatives.some((one) => one.gap === gap));
    const acceptance = entries.find(({ expiry }) => expiry >= today) ?? entries.at(-1);
    const standing = acceptance === undefined ? 'new' : acceptance.expiry >= today ? 'accepted' : 'expired';
    return { alternatives, failedTests, reason, lastLines, standing, ...(acceptance && { acceptance }) };
  };
  const described = (blamed: readonly Blamed<Outcome>[]) =>
    blamed.toSorted((one, other) => order(one) - order(other)).map(dependencyOf);
  const [dependencies, questions] = [described(found.blamed), described(found.asked)];
  const needed = new Set([...dependencies, ...questions].flatMap(({ alternatives }) => alternatives.map(({ gap }) => gap)));
  return {
    apis: [...apis],
    command: runner.name,
    seed,
    dependencies,
    questions,
    exercised: candidates.filter(({ id }) => exercised.has(id)),
    notExercised: candidates.filter(({ id }) => !exercised.has(id)),
    coverage: Math.round((1000 * exercised.size) / candidates.length) / 10,
    pairs: found.pairs,
    notReproducible: found.notReproducible.map(({ set, verdict }) => ({ alternatives: set, failedTests: verdict.failedTests })),
    noLongerNeeded: acceptances.filter(({ gap }) => !needed.has(gap) && candidates.some((one) => one.gap === gap)),
    stopped: false,
  };
}
