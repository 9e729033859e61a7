import { setImmediate } from 'node:timers/promises';
import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';
import { plain } from '../../contracts/tools/verification/reports/plain.ts';
import { saleCompleted } from '../../gateway/api/pos/events.ts';
import { adviceOn } from '../../gateway/webhooks/model/reasons.ts';
import type { Exchange } from '../../gateway/webhooks/sending/exchange.ts';
import type { ErrorClass } from '../../gateway/webhooks/sending/outcome.ts';
import { Sender } from '../../gateway/webhooks/sending/send.ts';
import type { Check, CheckOutcome, Context, Sent } from './check.ts';
import { checks } from './checks.ts';

/** What was sent and what came back, short enough to be shown. */
export interface Evidence {
  label: string;
  webhookId: string | null;
  bodyBytes: number;
  status: number | null;
  /** `success`, or the class of the error. */
  outcome: string;
  error: string | null;
  ms: number;
  /** The first characters of the answer's body; those that a terminal would act on are spelled out. */
  answer: string;
}

export interface CheckResult {
  id: string;
  title: string;
  sends: string;
  expects: string;
  why: string;
  outcome: CheckOutcome;
  /** What was found, in one sentence; empty where it passed. */
  says: string;
  evidence: Evidence[];
  ms: number;
}

export interface ReceiverCheck {
  url: string;
  startedAt: string;
  ms: number;
  results: CheckResult[];
}

export type CheckInput = Partial<Context> & Pick<Context, 'secret'> & { url: string };

const timeoutsBorne = 2;
const answerCharacters = 200;
const keptBodyBytes = 16_384;

/** Failures that say something of the way to a receiver, not of the receiver. */
const unreachable: ReadonlySet<string> = new Set<ErrorClass>(['dns', 'connect', 'tls', 'blocked_address']);

/**
 * Sends a receiver what the gateway would, and what it should refuse, and judges the answers. Throws `CouldNotRun` where
 * nothing can be reached at the address. Loopback and private networks are allowed: it is the user's own receiver.
 */
export async function checkReceiver({ url, ...given }: CheckInput): Promise<ReceiverCheck> {
  const context: Context = {
    event: plainEvent,
    rotatedSecret: undefined,
    signatureHeader: 'X-SERVICE-Signature',
    now: Date.now,
    slowAfterMs: 3000,
    timeoutMs: 15_000,
    ...given,
  };
  const [startedAt, beganMs] = [new Date().toISOString(), performance.now()];
  const results: CheckResult[] = [];
  for (const check of checks) {
    results.push(await runCheck(check, url, context, gaveUp(results)));
    if (results.length === 1) stopUnlessReached(url, results[0] as CheckResult);
  }
  return { url, startedAt, ms: Math.round(performance.now() - beganMs), results };
}

/** In ASCII, so that a receiver that reads another encoding is found out by the check of that, and not by all. */
const plainEvent = {
  type: saleCompleted.type,
  data: JSON.parse(
    JSON.stringify(saleCompleted.example)
      .normalize('NFD')
      .replaceAll(/[^\x20-\x7e]/g, ''),
  ),
};

/** Each further check would only wait for the deadline again. */
const gaveUp = (results: readonly CheckResult[]) => results.filter(timedOut).length >= timeoutsBorne;
const timedOut = ({ evidence }: CheckResult) => evidence.length > 0 && evidence.every(({ outcome }) => outcome === 'timeout');

async function runCheck(check: Check, url: string, context: Context, silent: boolean): Promise<CheckResult> {
  const { id, title, sends, expects, why } = check;
  const about = { id, title, sends, expects, why };
  const skipped = silent ? `It did not answer ${timeoutsBorne} checks before this one.` : (check.skip?.(context) ?? null);
  if (skipped !== null) return { ...about, outcome: 'skipped', says: skipped, evidence: [], ms: 0 };
  const sent = check.requests(context);
  const exchanges = await exchange(url, sent, context.timeoutMs);
  const evidence = exchanges.map((one, at) => evidenceOf(sent[at] as Sent, one));
  return { ...about, ...check.judge(exchanges, context), evidence, ms: evidence.reduce((sum, { ms }) => sum + ms, 0) };
}

/** A sender of its own for each check: what one leaves of its connection is no matter for the next. */
async function exchange(url: string, sent: readonly Sent[], deadlineMs: number): Promise<Exchange[]> {
  const sender = new Sender({ deadlineMs, keptBodyBytes, allow: { loopback: true, privateNetworks: true } });
  try {
    const exchanges: Exchange[] = [];
    for (const { headers, body } of sent) {
      exchanges.push(await sender.post(url, headers, body));
      // undici gives a connection back a turn after its answer ended; asked at once, it would open another one.
      await setImmediate();
    }
    return exchanges;
  } finally {
    await sender.close();
  }
}

/** Later on it is the receiver's fault if it cannot be reached any more. */
function stopUnlessReached(url: string, { evidence }: CheckResult): void {
  const lost = evidence.find(({ outcome }) => unreachable.has(outcome));
  if (!lost) return;
  throw new CouldNotRun(`${url} cannot be reached: ${lost.error ?? lost.outcome}. ${adviceOn(lost.outcome)}`);
}

function evidenceOf({ label, headers, body }: Sent, { status, outcome, error, timings, body: answer }: Exchange): Evidence {
  return {
    label,
    webhookId: headers['webhook-id'] ?? null,
    bodyBytes: Buffer.byteLength(body),
    status,
    outcome,
    error: error === null ? null : plain(error),
    ms: Math.round(timings.total ?? 0),
    answer: plain([...(answer ?? '')].slice(0, answerCharacters).join('')),
  };
}
