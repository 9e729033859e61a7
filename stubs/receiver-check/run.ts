import { setImmediate } from 'node:timers/promises';
import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';
import { plain } from '../../contracts/tools/reports/plain.ts';
import type { ErrorClass } from '../../gateway/store/tables/webhooks.ts';
import { adviceOn } from '../../gateway/webhooks/model/reasons.ts';
import type { Exchange } from '../../gateway/webhooks/sending/exchange.ts';
import { privateNetworks } from '../../gateway/webhooks/sending/guard.ts';
import { Sender } from '../../gateway/webhooks/sending/send.ts';
import { type Cause, causeOf } from './cause.ts';
import type { Check, CheckResult, Context, Evidence, Sent } from './check.ts';
import { checks } from './checks.ts';
import { exampleEvent } from './example.ts';

export interface ReceiverCheck {
  url: string;
  startedAt: string;
  ms: number;
  /** False if a check failed that counts: a documented one; if strict, any. */
  passed: boolean;
  strict: boolean;
  /** What explains most failures, if it is known. */
  cause: Cause | null;
  results: CheckResult[];
}

export type CheckInput = Partial<Context> &
  Pick<Context, 'secret'> & {
    url: string;
    /** Headers of the receiver's own that each request has. Default: none. */
    headers?: Headers;
    strict?: boolean;
    /** Ids of the checks to run. Default: all. */
    only?: readonly string[];
  };

/** Returns true for a failure that decides the exit code. */
export const decides = ({ outcome, level }: Pick<CheckResult, 'outcome' | 'level'>, strict: boolean): boolean =>
  outcome === 'failed' && (strict || level === 'documented');

const timeoutsAllowed = 2;
const answerCharacters = 200;
const keptBodyBytes = 16_384;

/** Errors on the way to the receiver, which say nothing about the receiver itself. */
const unreachable: ReadonlySet<string> = new Set<ErrorClass>(['dns', 'connect', 'tls', 'blocked_address']);

/**
 * Sends a receiver genuine deliveries and requests that it must reject, and judges its responses. Throws `CouldNotRun` if the
 * URL cannot be reached. Loopback and private networks are allowed, because the receiver is the user's own.
 */
export async function checkReceiver({
  url,
  headers = {},
  strict = false,
  only,
  event,
  ...given
}: CheckInput): Promise<ReceiverCheck> {
  checkAddress(url);
  const context: Context = {
    event: event ?? (await exampleEvent('sale.completed')),
    rotatedSecret: undefined,
    signatureHeader: 'X-SERVICE-Signature',
    now: Date.now,
    slowAfterMs: 3000,
    timeoutMs: 15_000,
    ...given,
  };
  const [startedAt, beganMs] = [new Date().toISOString(), performance.now()];
  const send = (sent: readonly Sent[]) => exchange(url, sent, headers, context.timeoutMs);
  const results: CheckResult[] = [];
  for (const check of checks.filter(({ id }) => only?.includes(id) ?? true)) {
    results.push(await runCheck(check, send, context, gaveUp(results)));
    if (results.length === 1) stopUnlessReached(url, results[0] as CheckResult);
  }
  const cause = await causeOf({
    results,
    context,
    bodyOf: (id) => checks.find((check) => check.id === id)?.requests(context)[0]?.body ?? '',
    post: async (sent) => (await send([sent]))[0] as Exchange,
  });
  const passed = !results.some((result) => decides(result, strict));
  return { url, startedAt, ms: Math.round(performance.now() - beganMs), passed, strict, cause, results };
}

/**
 * Throws `CouldNotRun`, without what precedes an `@`: it may be a password, also in an address that cannot
 * be parsed.
 */
function checkAddress(url: string): void {
  if (url.includes('@')) throw new CouldNotRun(`The address of a receiver must have no user and no password. ${elsewhere}`);
  if (!URL.canParse(url)) throw new CouldNotRun(`"${url}" is not an address. Give one such as http://localhost:3000/hook.`);
}

const elsewhere = 'Pass them as the header Authorization. Write the "@" of a path as %40.';

/** After two timeouts, each further check would only wait for the deadline again. */
const gaveUp = (results: readonly CheckResult[]) => results.filter(timedOut).length >= timeoutsAllowed;
const timedOut = ({ evidence }: CheckResult) => evidence.length > 0 && evidence.every(({ outcome }) => outcome === 'timeout');

type Send = (sent: readonly Sent[]) => Promise<Exchange[]>;

async function runCheck(check: Check, send: Send, context: Context, silent: boolean): Promise<CheckResult> {
  const { id, level, gaps, title, sends, expects, why } = check;
  const about = { id, level, gaps, title, sends, expects, why };
  const skipped = silent
    ? `Skipped, because the receiver did not respond to ${timeoutsAllowed} checks before.`
    : (check.skip?.(context) ?? null);
  if (skipped !== null) return { ...about, outcome: 'skipped', says: skipped, evidence: [], ms: 0 };
  const sent = check.requests(context);
  const exchanges = await send(sent);
  const evidence = exchanges.map((one, at) => evidenceOf(sent[at] as Sent, one));
  return { ...about, ...check.judge(exchanges, context), evidence, ms: evidence.reduce((sum, { ms }) => sum + ms, 0) };
}

type Headers = Record<string, string>;

/** Uses a new sender for each check, so that a broken connection does not affect the next check. */
async function exchange(url: string, sent: readonly Sent[], own: Headers, deadlineMs: number): Promise<Exchange[]> {
  const sender = new Sender({ deadlineMs, keptBodyBytes, allow: { loopback: true, networks: privateNetworks } });
  try {
    const exchanges: Exchange[] = [];
    for (const { headers, body } of sent) {
      exchanges.push(await sender.post(url, { ...own, ...headers }, body));
      // undici returns a connection to its pool one turn after the response. Without this wait it would open another one.
      await setImmediate();
    }
    return exchanges;
  } finally {
    await sender.close();
  }
}

/** Stops if the first check cannot reach the receiver. Later connection errors count as failures of the receiver. */
function stopUnlessReached(url: string, { evidence }: CheckResult): void {
  const lost = evidence.find(({ outcome }) => unreachable.has(outcome));
  if (!lost) return;
  throw new CouldNotRun(`${url} cannot be reached: ${lost.error ?? lost.outcome}. ${adviceOn(lost.outcome)}`);
}

const evidenceOf = ({ label, headers, body }: Sent, { status, outcome, error, timings, body: answer }: Exchange): Evidence => ({
  label,
  webhookId: headers['webhook-id'] ?? null,
  bodyBytes: Buffer.byteLength(body),
  status,
  outcome,
  error: error === null ? null : plain(error),
  ms: Math.round(timings.total ?? 0),
  answer: plain([...(answer ?? '')].slice(0, answerCharacters).join('')),
});
