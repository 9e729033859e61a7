import type { Clock } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import type { Keyring } from '../../base/keyring.ts';
import type { Row } from '../../store/tables/index.ts';
import { manualReasonOf, onceReasons } from '../model/jobs.ts';
import { type Exchange, unsent } from '../sending/exchange.ts';
import type { Sender } from '../sending/send.ts';
import { signatureHeaders } from '../sending/sign.ts';
import type { Owed } from './admit.ts';
import type { Made } from './record.ts';
import { judge } from './retry.ts';

export interface AttemptParts {
  clock: Clock;
  keys: Keyring;
  sender: Pick<Sender, 'post'>;
  signatureHeader: string;
  /** The time that signatures state; the clock's unless told. */
  signedAt?: (() => number) | undefined;
  /** Delay before each attempt in seconds, the first included. */
  scheduleSeconds: readonly number[];
  /** A random number from 0 to 1 for the jitter. */
  random(): number;
}

/** Signs, POSTs, and decides what is to follow. Every failure is an outcome; it never throws. */
export async function makeAttempt(parts: AttemptParts, owed: Owed, number: number): Promise<{ made: Made; exchange: Exchange }> {
  const { clock, sender, scheduleSeconds, random } = parts;
  const startedAt = clock.now();
  const request = prepare(parts, owed, startedAt);
  const exchange = request.unreadable
    ? unsent('secret_unreadable', request.unreadable)
    : await sender.post(owed.endpoint.url, request.headers, owed.event.body);
  const endedAt = clock.now();
  const { outcome, status, retryAfter } = exchange;
  const manual = manualReasonOf(owed.delivery);
  const once = onceReasons.has(owed.delivery.reason);
  const verdict = judge({ outcome, attempt: number, nowMs: endedAt, retryAfter, scheduleSeconds, once, random: random() });
  const success = outcome === 'success';
  const sign = { success, gone: outcome === 'gone', status, retryAfter, startedAt, endedAt, manual: manual !== null };
  const row = evidence(owed, number, { request, exchange, startedAt, endedAt });
  return { made: { owed, row, verdict, sign }, exchange };
}

interface Prepared {
  headers: Record<string, string>;
  secretIds: string[];
  unreadable?: string;
}

function prepare({ keys, signatureHeader, signedAt }: AttemptParts, { event, endpoint }: Owed, atMs: number): Prepared {
  const inForce = endpoint.secrets.filter(({ expires_at }) => expires_at === null || expires_at > atMs);
  const secretIds = inForce.map(({ id }) => id);
  const headers = { 'content-type': 'application/json', 'user-agent': 'Passerelle' };
  try {
    const secrets = inForce.map(({ sealed }) => keys.open(sealed));
    const signature = signatureHeaders({
      eventId: event.id,
      body: event.body,
      atMs: signedAt?.() ?? atMs,
      secrets,
      headerName: signatureHeader,
    });
    return { headers: { ...headers, ...signature }, secretIds };
  } catch (error) {
    return { headers, secretIds, unreadable: (error as Error).message };
  }
}

interface Sent {
  request: Prepared;
  exchange: Exchange;
  startedAt: number;
  endedAt: number;
}

/** What the attempt's record shows; what follows from it is filled in when it is written. */
function evidence(
  { delivery, endpoint }: Owed,
  number: number,
  { request, exchange, startedAt, endedAt }: Sent,
): Row<'attempts'> {
  return {
    id: newId('att'),
    delivery_id: delivery.id,
    endpoint_id: endpoint.id,
    number,
    outcome: exchange.outcome,
    error: exchange.error,
    url: endpoint.url,
    address: exchange.address,
    request_headers: request.headers,
    response_status: exchange.status,
    response_headers: exchange.headers,
    response_body: exchange.body,
    response_truncated: exchange.truncated,
    timings: exchange.timings,
    secret_ids: request.secretIds,
    next_attempt_at: null,
    next_attempt_why: null,
    manual: manualReasonOf(delivery) !== null,
    started_at: startedAt,
    ended_at: endedAt,
  };
}
