import type { ProviderOperation } from '../contracts/openapi/operations.ts';
import { type Damage, damages } from '../contracts/tools/verification/beside.ts';
import type { RecordedCall } from '../stubs/journal/call.ts';
import { type CallFailureName, canShow, failureOf, retryAfterMs } from './failures.ts';
import { countsOf, factsOf, isDone, isSignIn, isWrite, type Plain, textOfCall } from './plain.ts';
import type { Verdict } from './types.ts';

/** What became of one request at which a failure was played. */
export interface JudgedRequest {
  /** As `Plain` names it. */
  name: string;
  /** The attempt that failed. */
  call: RecordedCall;
  verdict: Verdict;
  /** With what happened, as a sentence. */
  damages: { damage: Damage; what: string }[];
  /** True if its work is lost and tests fail, so that it must be found out whether they fail because of it. */
  isOpen: boolean;
}

interface Judged {
  plain: Plain;
  operation: ProviderOperation;
  failure: CallFailureName;
  /** In the order in which they began. */
  calls: readonly RecordedCall[];
  passed: boolean;
  /** The number of tests that are known to have failed. */
  failedTests: number;
}

/** So many retries of one request, divided by the number of failed tests, count as a storm. */
const stormRetries = 10;
/** Times are in whole milliseconds, and timers may end a little early. */
const toleranceMs = 100;

const beganAt = ({ at }: RecordedCall) => Date.parse(at);
const header = (call: RecordedCall, name: string): string | undefined =>
  call.requestHeaders[name] === undefined ? undefined : String(call.requestHeaders[name]);
const keyOf = (call: RecordedCall) => header(call, 'idempotency-key');

/** Judges each request at which a failure was played, by the stub's journal and by whether the tests passed. */
export function judge(judged: Judged): JudgedRequest[] {
  const { operation, plain, passed } = judged;
  const own = judged.calls.filter((call) => call.operation === operation.operation.operationId);
  const done = countsOf(own.filter(isDone));
  const requests = [...Map.groupBy(own, textOfCall)].flatMap(([text, attempts]) => {
    const first = attempts.findIndex(({ fault }) => fault !== undefined);
    return first < 0 ? [] : [factsOfRequest(judged, text, attempts, first, done)];
  });
  const areAllRecovered = requests.every(({ isRecovered }) => isRecovered);
  return requests.map((request) => {
    const found = damages.flatMap((damage) => {
      const what = canShow(judged.failure, damage) ? checks[damage](request) : undefined;
      return what === undefined ? [] : [{ damage, what }];
    });
    const isDamaged = found.some(({ damage }) => damage === 'twice' || damage === 'lost');
    const isFine = passed || (request.isRecovered && !areAllRecovered);
    return {
      name: plain.nameOf(factsOf(request.call)),
      call: request.call,
      damages: found,
      verdict: isDamaged ? 'silent damage' : isFine ? 'survived' : 'told its caller',
      isOpen: request.isLost && !passed,
    };
  });
}

type Request = ReturnType<typeof factsOfRequest>;

/** `first`: the attempt that failed. `done`: how often work was done in this run. */
function factsOfRequest(
  judged: Judged,
  text: string,
  attempts: readonly RecordedCall[],
  first: number,
  done: ReadonlyMap<string, number>,
) {
  const { plain, operation, passed } = judged;
  const [call, ...later] = attempts.slice(first) as [RecordedCall, ...RecordedCall[]];
  const keyed = keyOf(call) === undefined ? undefined : later.find((one) => keyOf(one) === keyOf(call));
  const surplus = attempts.length - plain.attemptsOf(text);
  const retries = surplus > 0 ? later.slice(0, surplus) : keyed ? [keyed] : [];
  const { operationId = '' } = operation.operation;
  const isStable = plain.isStable(text);
  const [wasDone, usually] = [done.get(text) ?? 0, isStable ? plain.doneOf(text) : 1];
  return {
    ...judged,
    call,
    retries,
    // If tests fail, the repeated request may come from a later test that needs the same thing.
    retry: keyed ?? (passed ? retries[0] : undefined),
    isKeyed: keyed !== undefined,
    again: wasDone - usually,
    isLost: isWrite(operation) && wasDone < usually && (isStable || (done.get(operationId) ?? 0) < plain.doneOf(operationId)),
    isRecovered: retries.some(({ fault, status }) => fault === undefined && status >= 200 && status < 300),
  };
}

const takesKey = ({ operation }: ProviderOperation): boolean =>
  (operation.parameters ?? []).some(({ name }) => name.toLowerCase() === 'idempotency-key');

/** How a request without the key of the one before was sent. */
const withoutKey = ({ operation, call }: Request): string =>
  !takesKey(operation) ? '' : keyOf(call) === undefined ? ' without Idempotency-Key' : ' under another Idempotency-Key';

/** Two tokens that are issued within a second may be alike, so a login between the two attempts counts too. */
const hasNewToken = ({ calls, call }: Request, retry: RecordedCall): boolean =>
  header(retry, 'authorization') !== header(call, 'authorization') ||
  calls.slice(calls.indexOf(call), calls.indexOf(retry)).some(({ operation }) => operation?.startsWith('issueToken'));

/**
 * Each function returns a sentence about the damage, if it happened under a failure that can show it. A client that needs a token
 * signs in, even if another sign-in failed, so a repeated sign-in is neither `refused-again` nor a `storm`.
 */
const checks: Readonly<Record<Damage, (request: Request) => string | undefined>> = {
  twice: (request) =>
    isWrite(request.operation) && request.operation.method === 'POST' && request.again > 0
      ? `The client sent the request again${withoutKey(request)}, and it was carried out again.`
      : undefined,
  lost: ({ isLost, passed }) =>
    isLost && passed ? 'What the request asks for was never done, and every test passed.' : undefined,
  unkeyed: (request) =>
    request.retry && takesKey(request.operation) && !request.isKeyed
      ? `The client cannot know whether it was carried out, and sent it again${withoutKey(request)}.`
      : undefined,
  'refused-again': (request) => {
    const { retry, failure, operation } = request;
    if (!retry || isSignIn(operation) || (failure === 'token-expired' && hasNewToken(request, retry))) return undefined;
    return `The client sent the same request again${failure === 'token-expired' ? ' with the same token' : ''}.`;
  },
  'too-soon'({ retry, call }) {
    if (!retry) return undefined;
    // On a busy machine the end of a call is recorded late. So the time is measured from its beginning, and a client that waited
    // is never accused.
    const waitedMs = Math.max(0, beganAt(retry) - beganAt(call));
    return waitedMs < retryAfterMs - toleranceMs ? `The client sent the request again after ${waitedMs} ms.` : undefined;
  },
  storm: ({ retries, failedTests, failure, operation }) =>
    !isSignIn(operation) && retries.length / Math.max(1, failedTests) >= stormRetries
      ? `The client sent one request ${retries.length + 1} times${retries.length + 1 >= (failureOf(failure).most ?? 0) ? ', and would have gone on' : ''}.`
      : undefined,
};
