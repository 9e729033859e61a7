import type { ServiceName } from '../contracts/documents/services.ts';
import type { ProviderOperation } from '../contracts/openapi/operations.ts';
import type { AcceptedFinding } from '../contracts/tools/verification/beside.ts';
import { plainLimitMs, plainRuns } from '../probe/probe.ts';
import { Runs, type RunsInput } from '../probe/runs.ts';
import type { Outcome } from '../probe/types.ts';
import { Faults } from '../stubs/faults/faults.ts';
import { startWatchedStub } from '../stubs/start.ts';
import { withStubs } from '../stubs/suite/with-stubs.ts';
import type { StubOptions } from '../stubs/types.ts';
import type { Watching } from '../stubs/watching.ts';
import { type CallFailureName, failureOf, type WebhookFailureName, webhookFailures } from './failures.ts';
import { type BareFinding, findingsFor } from './findings.ts';
import { type JudgedRequest, judge } from './judge.ts';
import { inOrder, isWrite, Plain, type Seen } from './plain.ts';
import { Plays } from './plays.ts';
import { type Judgement, verdicts } from './types.ts';

export interface StressInput extends Pick<RunsInput, 'apis' | 'runner' | 'stubs' | 'variables' | 'signal'> {
  /** Operations, events or failures to play only. Default: all. */
  only: readonly string[];
  jobs: number;
  accepted: readonly AcceptedFinding[];
  /** YYYY-MM-DD. */
  today: string;
  /** The most requests of an operation at which a failure is played. */
  atMost: number;
  /** The limit of one run. Default: three times the slowest plain run, and 30 s. */
  timeoutMs?: number | undefined;
  onProgress(progress: StressProgress): void;
}

export interface StressProgress {
  runs: number;
  /** Failures that are left to play. Undefined before the first. */
  left?: number;
  leftMs: number;
  findings: number;
}

/** A failure of one operation, of one event, or of all webhooks of an API. */
export type Task =
  | { plain: Plain; operation: ProviderOperation; failure: CallFailureName }
  | { plain: Plain; event: string; failure: WebhookFailureName };

export type Judged = Judgement & { findings: BareFinding[] };

/** Clients wait between their attempts. */
const spareMs = 30_000;
/** Further runs for one failure, to find out which of several requests are lost unnoticed. */
const furtherRuns = 3;

const usualFaults: Watching['faults'] = (...made) => new Faults(...made);

/** What the tests say. */
const testsText = ({ passed, failedTests, reason }: Outcome): string =>
  passed ? 'pass' : failedTests.length > 0 ? `fail: ${failedTests.join(', ')}` : `fail: ${reason}`;

/** Such as `POST /sales`. */
const whereOf = ({ method, path }: ProviderOperation): string => `${method} ${path.replace(/^\/api\/v1/, '')}`;

/** The runs of a suite, with stubs that play failures and keep what they see. */
export class StressRuns {
  readonly #input: StressInput;
  readonly #runs: Runs;

  constructor(input: StressInput) {
    this.#input = input;
    this.#runs = new Runs({ ...input, candidates: [], base: {} }, input.timeoutMs ?? plainLimitMs);
  }

  get count(): number {
    return this.#runs.count;
  }

  async plain() {
    const { apis, timeoutMs } = this.#input;
    const seen: Record<string, Seen>[] = [];
    const run = async () => {
      const { outcome, seenBy } = await this.#run({});
      this.#runs.calls += Object.values(seenBy).flatMap(({ calls }) => calls).length;
      seen.push(seenBy);
      return outcome;
    };
    const tell = () => this.#input.onProgress({ runs: this.count, leftMs: 0, findings: 0 });
    const found = await plainRuns(this.#input, this.#runs, run, tell);
    this.#runs.timeoutMs = timeoutMs ?? 3 * found.slowestMs + spareMs;
    return {
      ...found,
      plains: apis.map(
        (api) =>
          new Plain(
            api,
            seen.map((one) => one[api] as Seen),
          ),
      ),
    };
  }

  play = (task: Task): Promise<Judged | undefined> => ('operation' in task ? this.#playCalls(task) : this.#playWebhooks(task));

  async #playWebhooks({ plain: { api }, event, failure }: Extract<Task, { event: string }>): Promise<Judged> {
    const kind = webhookFailures[failure];
    const options: StubOptions = 'assume' in kind ? { assume: kind.assume } : { faults: [`${event}:lost`] };
    const { outcome } = await this.#run({ [api]: { options } });
    const where = event === '*' ? 'webhooks' : `webhook ${event}`;
    const verdict = outcome.passed ? 'survived' : 'told its caller';
    return { api, where, failure, verdict, calls: 1, tests: testsText(outcome), findings: [] };
  }

  /** Plays a failure at requests of an operation. If requests are lost and tests fail, halves of them show if each is noticed. */
  async #playCalls({ plain, operation, failure }: Extract<Task, { operation: unknown }>): Promise<Judged | undefined> {
    const { fault, most = this.#input.atMost, lasts = false } = failureOf(failure);
    const { api } = plain;
    const rule = `${operation.operation.operationId}:${typeof fault === 'string' ? fault : fault[api]}`;
    const sets = [plain.requestsOf(operation).slice(0, Math.min(most, this.#input.atMost))];
    const judged = new Map<string, JudgedRequest>();
    let tests = 'pass';
    for (let run = 0; run <= furtherRuns; run += 1) {
      const set = sets.shift();
      if (set === undefined) break;
      const faults: Watching['faults'] = (...made) =>
        new Plays(
          {
            nameOf: (call) => {
              const name = plain.nameOf(call);
              return set.includes(name) ? name : undefined;
            },
            lasts,
            most: lasts ? most : set.length,
          },
          ...made,
        );
      const { outcome, seenBy } = await this.#run({ [api]: { options: { faults: [rule] }, faults } });
      const found = judge({
        plain,
        operation,
        failure,
        calls: seenBy[api]?.calls ?? [],
        passed: outcome.passed,
        failedTests: outcome.failedTests.length,
      });
      for (const one of found) judged.set(one.name, one);
      if (!outcome.passed) tests = testsText(outcome);
      if (!isWrite(operation) || outcome.passed) continue;
      const open = found.filter(({ isOpen }) => isOpen).map(({ name }) => name);
      const middle = Math.ceil(open.length / 2);
      // If as many tests failed as requests were lost, each loss was noticed.
      if (open.length > Math.max(1, outcome.failedTests.length)) sets.push(open.slice(0, middle), open.slice(middle));
      const notReached = set.filter((name) => !found.some((one) => one.name === name));
      if (notReached.length > 0 && notReached.length < set.length) sets.push(notReached);
    }
    const all = [...judged.values()];
    const verdict = verdicts.find((one) => all.some((request) => request.verdict === one));
    if (verdict === undefined) return undefined;
    const judgement = { api, where: whereOf(operation), failure, verdict, calls: all.length, tests };
    return { ...judgement, findings: all.flatMap((request) => findingsFor(request, judgement, operation)) };
  }

  async #run(special: Partial<Record<ServiceName, { options: StubOptions; faults?: Watching['faults'] }>>) {
    const { apis, stubs, signal } = this.#input;
    signal?.throwIfAborted();
    const seenBy: Record<string, Seen> = Object.fromEntries(apis.map((api) => [api, { calls: [], events: [] }]));
    const start = async (api: ServiceName) => {
      // A watched stub has no worlds, because nobody would see their calls.
      const { options, faults = usualFaults } = special[api] ?? {};
      const stub = await startWatchedStub<ServiceName>(api, { logLevel: 'silent', ...stubs[api], ...options } as StubOptions, {
        faults,
      });
      stub.subscribe((event) => {
        if (event.kind === 'call') seenBy[api]?.calls.push(event.call);
        if (event.kind === 'attempt' && event.attempt.outcome === 'success') seenBy[api]?.events.push(event.attempt.eventType);
      });
      return stub;
    };
    const outcome: Outcome = await withStubs(apis, start, (started) => this.#runs.once(started));
    for (const seen of Object.values(seenBy)) seen.calls = inOrder(seen.calls);
    return { outcome, seenBy };
  }
}
