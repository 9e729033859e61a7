import { type AcceptedFinding, damages } from '../contracts/tools/verification/beside.ts';
import { Slots } from '../gateway/base/slots.ts';
import {
  callFailureNames,
  canShow,
  failureOf,
  type WebhookFailureName,
  webhookFailureNames,
  webhookFailures,
} from './failures.ts';
import { findingId, findingsOf, withAcceptances } from './findings.ts';
import { isSignIn, type Plain } from './plain.ts';
import { type Judged, type StressInput, StressRuns, type Task } from './runs.ts';
import type { StressReport } from './types.ts';

/** Plays each failure at the calls of a suite. Throws `CouldNotRun`. If it is stopped, the report has what was found. */
export async function runStress(input: StressInput): Promise<StressReport> {
  const startedAt = performance.now();
  const runs = new StressRuns(input);
  const { plains, jobs, notes } = await runs.plain();
  const all = plains.flatMap(tasksOf);
  const tasks = all.filter((task) => isNamed(task, input.only));
  const judged: (Judged | undefined)[] = [];
  const slots = new Slots(jobs);
  let left = tasks.length;
  const beganAt = performance.now();
  const playing = tasks.map((task, at) =>
    slots.use(async () => {
      judged[at] = await runs.play(task);
      left -= 1;
      const findings = findingsOf(judged.filter(isThere)).length;
      input.onProgress({
        runs: runs.count,
        left,
        leftMs: (left * (performance.now() - beganAt)) / (tasks.length - left),
        findings,
      });
    }),
  );
  const ended = await Promise.allSettled(playing);
  const failed = ended.find((one) => one.status === 'rejected');
  if (failed && !input.signal?.aborted) throw failed.reason;
  const found = judged.filter(isThere);
  const findings = withAcceptances(findingsOf(found), input.accepted, input.today);
  const wasPlayed = (task: Task) => judged[tasks.indexOf(task)] !== undefined;
  const notPlayed = failed ? [] : tasks.filter((task) => !wasPlayed(task));
  return {
    apis: [...input.apis],
    command: input.runner.name,
    runs: runs.count,
    durationMs: Math.round(performance.now() - startedAt),
    findings,
    noLongerNeeded: input.accepted.filter((entry) => {
      const showing = all.filter((task) => showsFinding(task, entry));
      return showing.length > 0 && showing.every(wasPlayed) && !findings.some(({ id }) => id === entry.finding);
    }),
    judgements: found.map(({ findings: _, ...judgement }) => judgement),
    notUsed: plains.flatMap(({ notUsed }) => notUsed),
    notes: [
      ...notes,
      ...notPlayed.map(
        (task) => `${task.failure} of ${placeOf(task)} was not played: the calls of the tests differ from run to run.`,
      ),
    ],
    stopped: failed !== undefined,
  };
}

const isThere = <T>(one: T | undefined): one is T => one !== undefined;

const placeOf = (task: Task): string => ('operation' in task ? (task.operation.operation.operationId ?? '') : task.event);

/** True if a task can lead to the finding. */
const showsFinding = (task: Task, { finding }: AcceptedFinding): boolean =>
  'operation' in task &&
  damages.some((damage) => finding === findingId(task.plain.api, task.operation, damage) && canShow(task.failure, damage));

function tasksOf(plain: Plain): Task[] {
  const ofCalls = plain.operations.flatMap((operation) =>
    callFailureNames
      .filter((failure) => !(failureOf(failure).needsToken && isSignIn(operation)))
      .map((failure): Task => ({ plain, operation, failure })),
  );
  const events = (failure: WebhookFailureName) =>
    'assume' in webhookFailures[failure] && plain.events.length > 0 ? ['*'] : plain.events;
  return [
    ...ofCalls,
    ...webhookFailureNames.flatMap((failure) => events(failure).map((event): Task => ({ plain, event, failure }))),
  ];
}

/**
 * True if the names allow this task: if they name operations or events, they name its own, and if they name failures, they name
 * its own.
 */
function isNamed(task: Task, only: readonly string[]): boolean {
  const failures = only.filter(
    (name) => name in { ...webhookFailures } || (callFailureNames as readonly string[]).includes(name),
  );
  const places = only.filter((name) => !failures.includes(name));
  return (failures.length === 0 || failures.includes(task.failure)) && (places.length === 0 || places.includes(placeOf(task)));
}
