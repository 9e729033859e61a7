import { calledAs } from '../contracts/mutants/kinds.ts';
import { type Mutated, mutated, withoutMutant } from '../contracts/mutants/mutants.ts';
import { operationsOf } from '../contracts/openapi/operations.ts';
import { nameOf } from '../contracts/tools/coverage/coverage.ts';
import { type AcceptedLoss, acceptanceIn, covers } from '../contracts/tools/verification/beside.ts';
import { Slots } from '../gateway/base/slots.ts';
import type { Exercised } from '../probe/exercised.ts';
import { plainLimitMs, plainRuns } from '../probe/probe.ts';
import { Runs, type RunsInput } from '../probe/runs.ts';
import type { Played } from '../probe/types.ts';
import { assumedText } from '../stubs/assume/chosen.ts';
import { checkFlaky, findUnnoticed, type Noticed, type SearchInput, type Shown } from './search.ts';
import { type Judgement, type MutateReport, type TriedMutant, verdicts } from './types.ts';

export interface MutateInput extends Pick<RunsInput, 'apis' | 'runner' | 'stubs' | 'variables' | 'signal'> {
  /** Behaviours, operations or events only. Default: all. */
  only: readonly string[];
  jobs: number;
  /** Options of `passerelle run` that make the same stubs and environment, for a shell. */
  runOptions: string;
  accepted: readonly AcceptedLoss[];
  /** YYYY-MM-DD. */
  today: string;
  /** The limit of one run. Default: three times the slowest plain run, and 5 s. */
  timeoutMs?: number | undefined;
  onProgress(progress: MutateProgress): void;
}

export interface MutateProgress {
  runs: number;
  /** The number of behaviours that still have a mutant to try. Undefined before the first run with one. */
  left?: number;
  leftMs: number;
  unnoticed: number;
}

/** One further plain run is made for each group of so many runs. */
const runsPerPlainRun = 15;
/**
 * The number of further plain runs if one failed while another ran. They show whether tests fail by themselves, or because runs
 * disturb each other.
 */
const runsIfOneFailed = 5;

/**
 * Removes each behaviour that the tests exercise, one after another. Throws `CouldNotRun`. If it is stopped, the report has what
 * was found.
 */
export async function runMutate(input: MutateInput): Promise<MutateReport> {
  const startedAt = performance.now();
  const behaviours = namedIn(input);
  const runs = new Runs({ ...input, candidates: behaviours.flatMap(playedOf), base: {} }, input.timeoutMs ?? plainLimitMs);
  const exercised: Exercised = new Map();
  const known = new Map<string, Noticed | undefined>();
  const { slowestMs, jobs, notes } = await plainRuns(
    input,
    runs,
    (isFirst) => runs.under([], isFirst ? exercised : undefined),
    () => input.onProgress({ runs: runs.count, leftMs: 0, unnoticed: 0 }),
  );
  runs.timeoutMs = input.timeoutMs ?? 3 * slowestMs + 5000;
  const slots = new Slots(jobs);
  let left = 0;
  const beganAt = performance.now();
  const before = runs.count;
  const state = { behaviours, exercised, known };
  const search: SearchInput = {
    known,
    run: (set) =>
      slots.use(async () => {
        const outcome = await runs.under(set);
        const tookMs = (performance.now() - beganAt) / (runs.count - before);
        const open = Math.max(0, left - known.size);
        const unnoticed = behaviours.filter((one) => isUnnoticed(one, state)).length;
        input.onProgress({ runs: runs.count, left: open, leftMs: open * tookMs, unnoticed });
        return outcome;
      }),
  };
  let stopped = false;
  try {
    for (let next = nextOf(state); next.length > 0; next = nextOf(state)) {
      left = known.size + next.length;
      await findUnnoticed(next, search);
    }
    const further = jobs < input.jobs ? runsIfOneFailed : 0;
    const flaky = await checkFlaky(search, Math.ceil((runs.count - before) / runsPerPlainRun) + further);
    if (flaky.length > 0) notes.push(`A plain run failed (${flaky.join(', ')}), so what only this notices counts as unnoticed.`);
  } catch (error) {
    if (!input.signal?.aborted) throw error;
    stopped = true;
  }
  const judgements = behaviours.flatMap((one) => judgementOf(one, state, input));
  const isNeeded = ({ behaviour }: AcceptedLoss) =>
    !judgements.some(({ id }) => covers(behaviour, id)) ||
    judgements.some(({ id, verdict }) => covers(behaviour, id) && verdict !== 'noticed');
  return {
    apis: [...input.apis],
    command: input.runner.name,
    runOptions: input.runOptions,
    runs: runs.count,
    durationMs: Math.round(performance.now() - startedAt),
    judgements: judgements.sort((one, other) => verdicts.indexOf(one.verdict) - verdicts.indexOf(other.verdict)),
    notTakenAway: notTakenAway(input.apis),
    noLongerNeeded: stopped ? [] : input.accepted.filter((entry) => !isNeeded(entry)),
    notes,
    stopped,
  };
}

const playedOf = ({ id: gap, api, alternatives }: Mutated): Played[] =>
  alternatives.map(({ id: alternative }) => ({ id: assumedText(gap, alternative), api, gap, alternative }));

export const notTakenAway = (apis: MutateInput['apis']): MutateReport['notTakenAway'] =>
  apis.flatMap((api) => Object.entries(withoutMutant[api]).map(([id, reason]) => ({ id, reason })));

/** The names that `--only` takes for a behaviour: its own, and those of the operations and events that show it. */
export function namesOf({ id, api, on }: Mutated): string[] {
  const operations = operationsOf(api).filter((one) => on.includes(nameOf(one)));
  return [id, ...operations.map(({ operation }) => operation.operationId ?? ''), ...on.filter((one) => !one.includes(' '))];
}

const namedIn = ({ apis, only }: Pick<MutateInput, 'apis' | 'only'>): Mutated[] =>
  apis.flatMap((api) => mutated[api]).filter((one) => only.length === 0 || namesOf(one).some((name) => only.includes(name)));

interface State {
  behaviours: readonly Mutated[];
  exercised: Exercised;
  known: ReadonlyMap<string, Noticed | undefined>;
}

/** The mutants of a behaviour that the tests show. */
const shownOf = (one: Mutated, { exercised }: State) =>
  one.alternatives.flatMap((mutant) => {
    const id = assumedText(one.id, mutant.id);
    const where = exercised.get(id)?.map((difference) => difference.where) ?? [];
    return where.length > 0 ? [{ ...mutant, id, where }] : [];
  });

const isUnnoticed = (one: Mutated, state: State): boolean =>
  shownOf(one, state).some(({ id }) => state.known.has(id) && state.known.get(id) === undefined);

/** The next mutant of each behaviour: one that is easier to notice is tried if nobody noticed the one before. */
const nextOf = (state: State): Shown[] =>
  state.behaviours.flatMap((one) => {
    const shown = shownOf(one, state);
    const at = shown.findIndex(({ id }) => !state.known.has(id) || state.known.get(id) !== undefined);
    const { id = '', where: [place = ''] = [], hidesOthers = false } = shown[at] ?? {};
    return at < 0 || state.known.has(id) ? [] : [{ id, place, hidesOthers }];
  });

/** Nothing if it was not tried. */
function judgementOf(one: Mutated, state: State, { accepted, today }: MutateInput): Judgement[] {
  const shown = shownOf(one, state);
  const tried = shown
    .filter(({ id }) => state.known.has(id))
    .map(({ id, text, test }): TriedMutant => {
      const outcome = state.known.get(id);
      const { failedTests: by = [], timedOut = false, reason = '' } = outcome ?? {};
      const isNoticed = outcome !== undefined && !outcome.isDoubtful;
      return { id, text, test, isNoticed, by: by.length > 0 && !timedOut ? by : [reason].filter(Boolean) };
    });
  const [first] = tried;
  if (first === undefined && shown.length > 0) return [];
  const verdict = first === undefined ? 'not exercised' : first.isNoticed ? 'noticed' : 'unnoticed';
  const { id, api, document, isDocumented, also } = one;
  const entries = accepted.filter(({ behaviour }) => covers(behaviour, id));
  return [
    {
      id,
      api,
      verdict,
      document,
      isDocumented,
      also: [...also],
      tried,
      where: [...new Set(shown.flatMap(({ where }) => where.map(calledAs)))],
      ...(verdict === 'unnoticed' ? acceptanceIn(entries, today) : { isAccepted: false }),
    },
  ];
}
