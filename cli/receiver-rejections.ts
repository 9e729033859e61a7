import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { gapNamed } from '../contracts/tools/verification/explain.ts';
import type { InteractionResult, Outcome, Problem, Verification } from '../contracts/tools/verification/result.ts';
import type { Receiver } from '../contracts/tools/verification/subjects.ts';
import { serviceNames } from '../spec/documents/services.ts';
import { eventsOf } from '../spec/openapi/operations.ts';
import type { CheckResult } from '../stubs/receiver-check/check.ts';
import { checkReceiver } from '../stubs/receiver-check/run.ts';

/** The checks of `passerelle receiver check` whose requests a receiver must reject. */
const rejections = ['wrong_signature', 'changed_body', 'missing_signature', 'stale_timestamp'];

/**
 * Adds interactions that a pact cannot hold: a receiver that accepts genuine events must reject forged, unsigned and stale ones.
 * They are sent only after the receiver accepted an event, because one that rejects everything proves nothing.
 */
export async function withRejections(verification: Verification, { url, secret, timeoutMs }: Receiver): Promise<Verification> {
  const more = `"passerelle receiver check ${url}" checks more.`;
  const event = acceptedEvent(verification);
  if (event === undefined) {
    const notice = `Not checked, because the receiver accepted no event: whether it rejects forged, unsigned and stale requests. ${more}`;
    return { ...verification, notices: [...verification.notices, notice] };
  }
  try {
    const { results } = await checkReceiver({ url, secret, event, only: rejections, ...(timeoutMs && { timeoutMs }) });
    const [ran, unanswered] = [results.filter(isAnswered), results.filter((result) => !isAnswered(result))];
    return {
      ...verification,
      durationMs: verification.durationMs + ran.reduce((sum, { ms }) => sum + ms, 0),
      interactions: [...verification.interactions, ...ran.map((result) => interactionOf(result, event.type))],
      notices: [...verification.notices, `Forged, unsigned and stale requests were sent too. ${more}`],
      unfinished: [...verification.unfinished, ...unanswered.map(({ title, says }) => `it ${title}: ${says}`)],
    };
  } catch (error) {
    if (!(error instanceof CouldNotRun)) throw error;
    return { ...verification, unfinished: [...verification.unfinished, error.message] };
  }
}

/** Without a response, nobody knows what the receiver did with the request. */
const isAnswered = ({ outcome, evidence }: CheckResult) =>
  outcome !== 'skipped' && evidence.every(({ status }) => status !== null);

/** Returns the first event that the receiver accepted. */
function acceptedEvent({ interactions }: Verification): { type: string; data: unknown } | undefined {
  const accepted = interactions.filter(({ exchange: { reply } = {} }) => reply && reply.status >= 200 && reply.status < 300);
  return accepted.flatMap(({ exchange }) => eventIn(exchange?.request?.body ?? '') ?? [])[0];
}

function eventIn(body: string): { type: string; data: unknown } | undefined {
  try {
    const { event, data = {} } = JSON.parse(body) as { event?: unknown; data?: unknown };
    return typeof event === 'string' ? { type: event, data } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * A failed recommendation is pending: the receiver does what the documents require. A warning is pending too: the receiver
 * neither accepted nor refused the forged request (it sent a redirect, or had an error itself).
 */
const outcomes: Record<'documented' | 'recommended', Partial<Record<CheckResult['outcome'], Outcome>>> = {
  documented: { passed: 'verified', warned: 'pending', failed: 'failed' },
  recommended: { passed: 'verified', warned: 'pending', failed: 'pending' },
};

function interactionOf(result: CheckResult, eventType: string): InteractionResult {
  const { level, title, ms, gaps } = result;
  const outcome = outcomes[level][result.outcome] ?? 'failed';
  return {
    consumer: 'passerelle',
    provider: 'webhook-receiver',
    source: 'passerelle receiver check',
    kind: 'http',
    description: `it ${title}`,
    states: [],
    outcome,
    ...(outcome === 'pending' && { pendingBecause: level === 'documented' ? 'undecided' : 'documents' }),
    durationMs: ms,
    problems: outcome === 'verified' ? [] : [problemOf(result, eventType)],
    restsOn: [...gaps],
  };
}

function problemOf({ level, says, why, sends, evidence, gaps }: CheckResult, eventType: string): Problem {
  const service = serviceNames.find((name) => Object.hasOwn(eventsOf(name), eventType));
  const gap = gapNamed(gaps.find((id) => id.startsWith(`${service}.`)) ?? gaps[0] ?? '');
  const counts = level === 'documented' ? '' : ' The API documents do not require it, so it does not count as a failure.';
  return {
    kind: 'status',
    expected: '401, or another 4xx',
    actual: String(evidence[0]?.status ?? 'no answer'),
    message: `It was sent ${sends}. ${says} ${why}${counts}`,
    ...(gap && { gap }),
  };
}
