import { illegalMove, invalid, notFound, Refusal } from '../../base/errors.ts';
import { talliesOfEnded } from '../../figures/tally.ts';
import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { isSkippedByHand, type ManualReason } from '../../store/tables/webhooks.ts';
import { type Endpoint, readEndpoint } from '../endpoints/endpoints.ts';
import { isUnverified } from '../model/activity.ts';
import { manualReasonOf } from '../model/jobs.ts';
import { newDelivery } from '../model/new-delivery.ts';
import { isBlocking } from '../model/order-key.ts';
import type { Change } from '../outbox/change.ts';
import type { EventDefinition } from '../outbox/event.ts';
import { whyNotSent } from '../outbox/owners.ts';
import { readFirst } from './held-back.ts';

/**
 * Makes one more attempt of a delivery due now, with the same event id and the same bytes. Asking again before that attempt is
 * made has no further effect. Throws `not_found`, or a conflict if the endpoint is disabled, deleted, or ordered and busy.
 */
export async function resendDelivery(change: Change, id: string, by: Asker = {}): Promise<Row<'deliveries'>> {
  const { tx, now } = change;
  const { endpoint_id } = (await tx.get('deliveries', { id })) ?? {};
  if (endpoint_id === undefined) throw missingDelivery(id);
  // Lock the endpoint first, as its removal does, so that the two cannot deadlock.
  const endpoint = await tx.get('endpoints', { id: endpoint_id }, { lock: true });
  if (endpoint && isUnverified(endpoint))
    throw illegalMove(`The endpoint ${endpoint_id} is not verified. Verify it before you send anything to it again.`, []);
  refuseUnlessActive(endpoint, endpoint_id, by);
  const delivery = await tx.get('deliveries', { id }, { lock: true });
  if (!delivery) throw missingDelivery(id);
  await refuseUnlessVisible(tx, delivery, endpoint);
  if (delivery.parked && endpoint?.ordered) throw await mustWait(tx, delivery);
  const reason = reasonOnRequest(delivery);
  const [updated] = await tx.update(
    'deliveries',
    { id },
    { status: 'pending', reason, parked: false, next_attempt_at: now, updated_at: now },
  );
  if (!updated) throw missingDelivery(id);
  change.attempt(updated);
  return updated;
}

async function mustWait(tx: Rows, delivery: Row<'deliveries'>): Promise<Error> {
  const first = await readFirst(tx, delivery);
  const ahead = first
    ? `${first.id} goes first in the order of its endpoint${isBlocking(first) ? ' and has failed. Resend or skip that one' : ''}.`
    : 'its endpoint is ordered and takes one delivery at a time.';
  return illegalMove(`The delivery ${delivery.id} must wait for its turn: ${ahead}`, []);
}

/**
 * Ends a delivery that has failed at an ordered endpoint, so that those behind it are sent: no attempt follows. Throws
 * `not_found`, or a conflict if no delivery waits for it, or if the next one would be sent while an attempt of it is under way.
 */
export async function skipDelivery(change: Change, id: string): Promise<Row<'deliveries'>> {
  const { tx, now } = change;
  const delivery = await tx.get('deliveries', { id }, { lock: true });
  if (!delivery) throw missingDelivery(id);
  if (isSkippedByHand(delivery)) throw illegalMove(`${id} is already skipped, and blocks nothing. It can be resent.`, []);
  if (!isBlocking(delivery))
    throw illegalMove(
      `${id} is not a delivery that blocks others. Only one that has failed at an ordered endpoint can be skipped: GET /deliveries?blocking=true lists them.`,
      [],
    );
  if (manualReasonOf(delivery))
    throw illegalMove(`An attempt of ${id} was asked for. See whether it succeeds before you skip the delivery.`, []);
  if (delivery.status === 'pending' && !(await change.takeLease(delivery)))
    throw illegalMove(`An attempt of ${id} may be under way. Skip the delivery when it has ended.`, []);
  const ended = { status: 'failed', parked: false, next_attempt_at: null, order_key: null } as const;
  const [skipped] = await tx.update('deliveries', { id }, { ...ended, skipped_at: now, updated_at: now });
  if (!skipped) throw missingDelivery(id);
  if (delivery.status === 'pending') await tx.tally('tallies', talliesOfEnded([skipped]));
  change.unblock(delivery);
  return skipped;
}

const missingDelivery = (id: string) =>
  notFound('id', `There is no delivery ${id}. GET /manage/v1/deliveries lists all of them.`);

/** Recoveries wait behind holds and live traffic, and a resend does not. Whether retries follow stays as it was. */
const insteadOfRecovery: Partial<Record<ManualReason, ManualReason>> = { recover: 'resend', retry_now: 'brought_forward' };

function reasonOnRequest(delivery: Row<'deliveries'>): ManualReason {
  if (delivery.status !== 'pending') return 'resend';
  const reason = manualReasonOf(delivery) ?? 'brought_forward';
  return insteadOfRecovery[reason] ?? reason;
}

export interface TestEvent {
  endpointId: string;
  eventType: string;
  /** By default the catalogue's example. */
  data?: unknown;
  /** Signs it with the newest secret only. */
  newSecret?: boolean;
}

interface Asker {
  /** True for the owner of the endpoint, who cannot activate what an operator disabled. */
  byOwner?: boolean;
}

/**
 * Sends an event to one endpoint and ignores its filters. In the ledger, the event matches only this endpoint. Throws
 * `not_found`, a conflict if the endpoint is disabled, or `invalid` if the type or the data do not fit.
 */
export async function sendTestEvent(
  change: Change,
  { endpointId, eventType, data, newSecret = false }: TestEvent,
  catalogue: readonly EventDefinition[],
  by: Asker = {},
): Promise<Row<'deliveries'>> {
  const { tx, now } = change;
  const endpoint = await readEndpoint(tx, endpointId, { lock: true });
  const definition = definitionOf(endpoint, eventType, catalogue);
  const parsed = checkData(definition, data === undefined ? definition.example : data);
  const isVerification = isUnverified(endpoint);
  if (!isVerification) refuseUnlessActive(endpoint, endpointId, by);
  const event = {
    ...(await change.newEvent(definition, { subject: subjectOfTest(endpoint), dataText: JSON.stringify(parsed) })),
    fanned_out_at: now,
    matched: 1,
    filtered: 0,
  };
  // A test is urgent: it ignores the lane and the hold, and if it succeeds, the hold ends.
  const kind = isVerification ? 'verification' : 'brought_forward';
  const urgent: Partial<Row<'deliveries'>> = {
    parked: false,
    order_key: null,
    test: true,
    reason: newSecret ? 'secret_test' : kind,
  };
  const delivery = { ...newDelivery(event, { ...endpoint, active: true }, { now, firstAttemptAt: now }), ...urgent };
  await tx.append('events', [event]);
  await tx.append('deliveries', [delivery]);
  change.attempt(delivery);
  return delivery;
}

/** The operator's tests have no subject, as ever. See `isTestOf` for those of owned endpoints. */
const subjectOfTest = ({ id, owner }: Endpoint) => (owner === 'operator' ? null : id);

async function refuseUnlessVisible(tx: Rows, { event_id }: Row<'deliveries'>, endpoint: Endpoint | undefined): Promise<void> {
  const event = endpoint?.visible && (await tx.get('events', { id: event_id }));
  if (!event || whyNotSent(endpoint, event) !== 'not_visible') return;
  throw illegalMove(
    `${endpoint.owner}, to which the endpoint ${endpoint.id} belongs, may not see this event any more: ` +
      `${event.subject ?? 'an event without a subject'} has left its perimeter.`,
    [],
  );
}

function refuseUnlessActive(endpoint: Endpoint | undefined, id: string, { byOwner }: Asker): void {
  if (!endpoint || endpoint.deleted_at !== null)
    throw illegalMove(`The endpoint ${id} is deleted. Nothing can be sent to it.`, []);
  if (endpoint.active) return;
  if (endpoint.disabled_reason === 'owner_inactive')
    throw illegalMove(`The endpoint ${id} belongs to ${endpoint.owner}, which is inactive. Activate the owner first.`, []);
  if (byOwner && endpoint.disabled_reason === 'operator')
    throw illegalMove(`An operator disabled the endpoint ${id}. Nothing can be sent to it before an operator activates it.`, []);
  throw illegalMove(`The endpoint ${id} is disabled (${endpoint.disabled_reason}). Activate it before you send anything to it.`, [
    `PATCH /manage/v1/endpoints/${id} {"active": true}`,
  ]);
}

function definitionOf({ service }: Endpoint, type: string, catalogue: readonly EventDefinition[]): EventDefinition {
  const known = catalogue.filter((definition) => definition.service === service);
  const found = known.find((definition) => definition.type === type);
  if (found) return found;
  const types = known.map((definition) => definition.type).join(', ');
  throw invalid('event_type', 'unknown_event', `"${type}" is not an event of ${service}. Its events are ${types}.`);
}

function checkData({ type, data: schema }: EventDefinition, data: unknown): unknown {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.map(({ path, code, message }) => ({
    field: ['data', ...path].join('.'),
    rule: code,
    message,
  }));
  throw new Refusal(
    'invalid',
    'invalid',
    `The data does not match the schema of ${type}, which GET /manage/v1/event-types returns.`,
    {
      details,
    },
  );
}
