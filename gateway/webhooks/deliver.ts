import type { Clock } from '../clock.ts';
import { newId } from '../ids.ts';
import type { Keyring } from '../keyring.ts';
import type { Logger } from '../log.ts';
import type { Job, Queue } from '../queue/port.ts';
import type { Store } from '../store/port.ts';
import type { Row } from '../store/tables.ts';
import { manualReasonOf, manualReasons, nextJob, onceReasons } from './jobs.ts';
import type { DeliveryListener } from './listener.ts';
import { judge, type Verdict } from './retry.ts';
import type { Exchange, Sender } from './send.ts';
import { signatureHeaders } from './sign.ts';

export interface DeliverParts {
  store: Store;
  queue: Queue;
  clock: Clock;
  keys: Keyring;
  log: Logger;
  sender: Sender;
  listener: DeliveryListener;
  signatureHeader: string;
  scheduleSeconds: readonly number[];
  random(): number;
}

interface Owed {
  delivery: Row<'deliveries'>;
  event: Row<'events'>;
  endpoint: Row<'endpoints'>;
}

/**
 * Makes one attempt: sign, POST, record, and queue the next one. A job whose delivery is done, or whose attempt was
 * recorded already, does nothing; so a job may come twice.
 */
export async function deliver(parts: DeliverParts, job: Job): Promise<void> {
  const delivery = await parts.store.get('deliveries', { id: job.deliveryId });
  if (delivery?.status !== 'pending' || delivery.attempts !== job.attempt - 1) return;
  const [event, endpoint] = await Promise.all([
    parts.store.get('events', { id: delivery.event_id }),
    parts.store.get('endpoints', { id: delivery.endpoint_id }),
  ]);
  if (!event) return skip(parts, delivery, 'event_missing');
  if (!endpoint || endpoint.deleted_at !== null) return skip(parts, delivery, 'endpoint_deleted');
  if (!endpoint.active) return skip(parts, delivery, 'endpoint_disabled');
  await attempt(parts, { delivery, event, endpoint }, job.attempt);
}

async function skip({ store, clock, listener }: DeliverParts, delivery: Row<'deliveries'>, reason: string): Promise<void> {
  const skipped = await store.update(
    'deliveries',
    { id: delivery.id, status: 'pending' },
    { status: 'skipped', reason, next_attempt_at: null, updated_at: clock.now() },
  );
  if (skipped.length > 0) listener.ended('skipped', 1);
}

async function attempt(parts: DeliverParts, owed: Owed, number: number): Promise<void> {
  const { clock, sender, scheduleSeconds, random } = parts;
  const startedAt = clock.now();
  const request = prepare(parts, owed, startedAt);
  const exchange = request.unreadable
    ? unreadableSecret(request.unreadable)
    : await sender.post(owed.endpoint.url, request.headers, owed.event.body);
  const endedAt = clock.now();
  const { outcome, retryAfter } = exchange;
  const once = onceReasons.has(owed.delivery.reason);
  const verdict = judge({ outcome, attempt: number, nowMs: endedAt, retryAfter, scheduleSeconds, once, random: random() });
  const row = attemptRow(owed, number, { request, exchange, verdict, startedAt, endedAt });
  const after = await record(parts, owed, row, verdict);
  if (!after) return;
  report(parts, { ...owed, delivery: after }, row, exchange);
  if (after.next_attempt_at === null) return;
  await parts.queue.add([{ ...nextJob(after), delayMs: after.next_attempt_at - clock.now() }]);
}

interface Prepared {
  headers: Record<string, string>;
  secretIds: string[];
  unreadable?: string;
}

function prepare({ keys, signatureHeader }: DeliverParts, { event, endpoint }: Owed, atMs: number): Prepared {
  const inForce = endpoint.secrets.filter(({ expires_at }) => expires_at === null || expires_at > atMs);
  const secretIds = inForce.map(({ id }) => id);
  const headers = { 'content-type': 'application/json', 'user-agent': 'Passerelle' };
  try {
    const secrets = inForce.map(({ sealed }) => keys.open(sealed));
    const signature = signatureHeaders({ eventId: event.id, body: event.body, atMs, secrets, headerName: signatureHeader });
    return { headers: { ...headers, ...signature }, secretIds };
  } catch (error) {
    return { headers, secretIds, unreadable: (error as Error).message };
  }
}

function unreadableSecret(error: string): Exchange {
  const nothing = {
    address: null,
    status: null,
    headers: null,
    body: null,
    truncated: false,
    timings: {},
    retryAfter: undefined,
  };
  return { outcome: 'secret_unreadable', error, ...nothing };
}

interface Made {
  request: Prepared;
  exchange: Exchange;
  verdict: Verdict;
  startedAt: number;
  endedAt: number;
}

function attemptRow({ delivery, endpoint }: Owed, number: number, made: Made): Row<'attempts'> {
  const { request, exchange, verdict } = made;
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
    next_attempt_at: verdict.kind === 'retry' ? verdict.atMs : null,
    next_attempt_why: verdict.kind === 'success' ? null : verdict.why,
    manual: manualReasonOf(delivery) !== null,
    started_at: made.startedAt,
    ended_at: made.endedAt,
  };
}

const statusAfter = { success: 'delivered', retry: 'pending', dead: 'failed' } as const;

/** The attempt and what it changes, in one transaction; the delivery after it. None if another worker recorded it first. */
async function record(
  { store }: DeliverParts,
  { delivery, endpoint }: Owed,
  row: Row<'attempts'>,
  verdict: Verdict,
): Promise<Row<'deliveries'> | undefined> {
  const { number, outcome, next_attempt_at, next_attempt_why, ended_at } = row;
  const before = { id: delivery.id, attempts: number - 1, status: 'pending' };
  const reason = verdict.kind === 'success' ? null : outcome;
  const outcomes = { status: statusAfter[verdict.kind], attempts: number, reason, next_attempt_at, updated_at: ended_at };
  return store.transaction(async (tx) => {
    let [after] = await tx.update('deliveries', { ...before, reason: delivery.reason }, outcomes);
    if (!after) {
      // An operator asked for an attempt while this one was under way: it is still owed.
      const owed = { attempts: number, reason: verdict.kind === 'retry' ? 'brought_forward' : 'resend', updated_at: ended_at };
      [after] = await tx.update('deliveries', { ...before, reason: { in: manualReasons } }, owed);
    }
    if (!after) return undefined;
    const why = manualReasonOf(after) ? 'An operator asked for another attempt meanwhile.' : next_attempt_why;
    await tx.append('attempts', [{ ...row, next_attempt_at: after.next_attempt_at, next_attempt_why: why }]);
    if (verdict.kind === 'dead' && verdict.disablesEndpoint) {
      await tx.update(
        'endpoints',
        { id: endpoint.id, active: true },
        { active: false, disabled_reason: 'gone', updated_at: ended_at },
      );
    }
    return after;
  });
}

function report({ log, listener }: DeliverParts, { delivery, event }: Owed, row: Row<'attempts'>, exchange: Exchange): void {
  const { outcome, number } = row;
  const durationMs = exchange.timings.total ?? 0;
  log.info(
    {
      deliveryId: delivery.id,
      attemptId: row.id,
      eventId: event.id,
      eventType: event.type,
      endpointId: row.endpoint_id,
      attempt: number,
      outcome,
      responseStatus: exchange.status,
      address: exchange.address,
      durationMs,
      manual: row.manual,
      status: delivery.status,
      nextAttemptAt: delivery.next_attempt_at,
      error: exchange.error,
    },
    'delivery.attempted',
  );
  listener.attempted({ outcome, durationMs });
  if (delivery.status !== 'pending') listener.ended(delivery.status === 'delivered' ? 'delivered' : 'failed', 1);
}
