import type { Clock } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import type { Keyring } from '../../base/keyring.ts';
import type { SpanEnd, Tracing } from '../../base/tracing.ts';
import { failureOf } from '../../figures/cause.ts';
import type { Row } from '../../store/tables/index.ts';
import type { StoredSecret } from '../../store/tables/webhooks.ts';
import { type OpenedCredentials, openCredentials, withoutSecrets, withoutValues } from '../endpoints/credentials.ts';
import type { HealthEvidence } from '../endpoints/health.ts';
import type { AttemptHooks } from '../model/attempt-hooks.ts';
import { manualReasonOf, singleAttemptReasons } from '../model/jobs.ts';
import { retryForMs } from '../model/retry-for.ts';
import { type Signing, signingAt } from '../model/secrets.ts';
import { type Exchange, unsent } from '../sending/exchange.ts';
import { type Senders, senderOf } from '../sending/senders.ts';
import { signatureHeaders } from '../sending/sign.ts';
import type { Candidate } from './admit.ts';
import type { Fence } from './fence.ts';
import type { ProxyHold } from './proxy-hold.ts';
import { decideNext, type Verdict } from './retry.ts';

export interface SendParts extends Senders {
  clock: Clock;
  keys: Keyring;
  proxyHold: ProxyHold;
  signatureHeader: string;
  tracing: Tracing;
  hooks?: AttemptHooks | undefined;
  /** Delay before each attempt in seconds, including the first. */
  scheduleSeconds: readonly number[];
  /** Returns a number from 0 to 1 for the jitter. */
  random(): number;
}

/** An attempt that was made, and what to do with its delivery. */
export interface Attempt {
  /** The delivery's row as it was last known to be stored. */
  delivery: Row<'deliveries'>;
  endpoint: Row<'endpoints'>;
  row: Row<'attempts'>;
  verdict: Verdict;
  /** Null if the attempt says nothing about the receiver. */
  evidence: HealthEvidence;
  /** When its event was stored. */
  eventAtMs: number;
  traceparent: string | null;
  /** How often the store's rows had been reset when it began. */
  resets: number;
}

/**
 * Makes attempt number `number` of a delivery that holds a lease: signs, POSTs, and decides what follows. A failure of any kind
 * is an outcome; this never throws. Returns undefined if nothing is known about the receiver: the fence stopped the
 * request, or the proxy failed.
 */
export async function makeAttempt(
  parts: SendParts,
  candidate: Candidate,
  number: number,
  fence: Fence,
): Promise<Omit<Attempt, 'resets'> | undefined> {
  const { clock, tracing, scheduleSeconds, random } = parts;
  const { delivery, endpoint, event } = candidate;
  const startedAt = clock.now();
  const span = tracing.begin('attempt', { name: `POST ${event.type}`, parent: event.traceparent });
  const sent = await send(parts, candidate, { fence, traceparent: span.traceparent });
  const { exchange } = sent;
  span.end(() => endOfSpan(candidate, number, exchange));
  if (fence.isClosed) return undefined;
  const endedAt = clock.now();
  parts.proxyHold.note(exchange);
  if (exchange.proxyFailed) return undefined;
  const { outcome, retryAfter } = exchange;
  const manual = manualReasonOf(delivery) !== null;
  const isSingle = singleAttemptReasons.has(delivery.reason);
  const verdict = decideNext({
    outcome,
    attempt: number,
    nowMs: endedAt,
    retryAfter,
    scheduleSeconds,
    retryUntilMs: endpoint.retry_for_hours === null ? null : delivery.created_at + retryForMs(endpoint),
    isSingle,
    random: random(),
  });
  const success = outcome === 'success';
  const failure = success ? null : failureOf(exchange);
  const evidence = { success, failure, retryAfter, startedAt, endedAt, manual };
  const row = attemptRow(candidate, number, { ...sent, startedAt, endedAt });
  return { delivery, endpoint, row, verdict, evidence, eventAtMs: event.created_at, traceparent: span.traceparent };
}

interface Sent {
  request: Prepared;
  exchange: Exchange;
}

interface SendOptions {
  fence: Fence;
  traceparent: string | null;
}

async function send(parts: SendParts, candidate: Candidate, { fence, traceparent }: SendOptions): Promise<Sent> {
  const { url, ordered } = candidate.endpoint;
  const request = prepare(parts, candidate, parts.clock.now());
  if (traceparent !== null) request.headers.traceparent = traceparent;
  if (request.unreadable) return { request, exchange: unsent('secret_unreadable', request.unreadable) };
  const body = ordered ? fence.guard(request.body) : request.body;
  const exchange = await senderOf(parts, candidate.endpoint).post(url, request.headers, body);
  return { request, exchange: request.own ? withoutSecrets(exchange, request.own) : exchange };
}

/** Attributes: the semantic conventions of OpenTelemetry for HTTP clients. */
function endOfSpan({ delivery, endpoint, event }: Candidate, number: number, { outcome, status, error }: Exchange): SpanEnd {
  const { hostname, port } = new URL(endpoint.url);
  return {
    attributes: {
      'http.request.method': 'POST',
      'server.address': hostname,
      ...(port === '' ? {} : { 'server.port': Number(port) }),
      ...(status === null ? {} : { 'http.response.status_code': status }),
      ...(outcome === 'success' ? {} : { 'error.type': outcome }),
      'passerelle.event.id': event.id,
      'passerelle.event.type': event.type,
      'passerelle.delivery.id': delivery.id,
      'passerelle.endpoint.id': endpoint.id,
      'passerelle.attempt': number,
    },
    error: outcome === 'success' ? undefined : (error ?? outcome),
  };
}

interface Prepared {
  headers: Record<string, string>;
  body: string;
  /** The secrets that signed, newest first. */
  secretIds: string[];
  /** The endpoint's own headers, which are among `headers`. */
  own?: OpenedCredentials | null;
  /** Why the request could not be signed. */
  unreadable?: string;
}

function prepare({ keys, signatureHeader, hooks }: SendParts, candidate: Candidate, atMs: number): Prepared {
  const { event } = candidate;
  const { body } = event;
  const { inForce, documented } = signers(candidate, atMs);
  const secretIds = inForce.map(({ id }) => id);
  const headers = { 'content-type': 'application/json', 'user-agent': 'Passerelle' };
  try {
    const secrets = inForce.map(({ sealed }) => keys.open(sealed));
    const secret = secrets[inForce.indexOf(documented as StoredSecret)];
    const signature = signatureHeaders({
      eventId: event.id,
      body,
      atMs: hooks?.signedAt?.() ?? atMs,
      secrets,
      documented: secret,
      headerName: signatureHeader,
    });
    const own = openCredentials(keys, candidate.endpoint);
    const signed = { ...own?.headers, ...headers, ...signature, ...placeHeaders(candidate.delivery) };
    return { headers: hooks?.headers?.(signed, event, secret ?? '') ?? signed, body, secretIds, own };
  } catch (error) {
    return { headers, body, secretIds, unreadable: (error as Error).message };
  }
}

/** Where an ordered endpoint's event stands, so that its receiver notices a gap by itself. */
function placeHeaders({ sequence, previous_event_id }: Row<'deliveries'>): Record<string, string> {
  if (sequence === null) return {};
  const place = { 'webhook-sequence': String(sequence) };
  return previous_event_id === null ? place : { ...place, 'webhook-previous-id': previous_event_id };
}

/** A test of the new secret proves something only if no other secret signs it. */
function signers({ delivery, endpoint }: Candidate, atMs: number): Signing {
  const signing = signingAt(endpoint.secrets, atMs);
  const [newest] = signing.inForce;
  return delivery.reason === 'secret_test' && newest ? { inForce: [newest], documented: newest } : signing;
}

interface Made extends Sent {
  startedAt: number;
  endedAt: number;
}

/** Returns the attempt's row. The record stage fills in when and why the next attempt follows. */
const attemptRow = (
  { delivery, endpoint }: Candidate,
  number: number,
  { request, exchange, startedAt, endedAt }: Made,
): Row<'attempts'> => ({
  id: newId('att'),
  delivery_id: delivery.id,
  endpoint_id: endpoint.id,
  number,
  outcome: exchange.outcome,
  error: exchange.error,
  url: endpoint.url,
  address: exchange.address,
  request_headers: request.own ? withoutValues(request.headers, request.own) : request.headers,
  response_status: exchange.status,
  response_headers: exchange.headers,
  response_body: exchange.body,
  response_truncated: exchange.truncated,
  timings: exchange.timings,
  secret_ids: request.secretIds,
  next_attempt_at: null,
  next_attempt_case: null,
  manual: manualReasonOf(delivery) !== null,
  started_at: startedAt,
  ended_at: endedAt,
});
