import { illegalMove, invalid, notFound, Refusal } from '../../base/errors.ts';
import type { Row } from '../../store/tables/index.ts';
import { type Endpoint, readEndpoint } from '../endpoints/endpoints.ts';
import { manualReasonOf } from '../model/jobs.ts';
import { newDelivery } from '../model/new-delivery.ts';
import { type Change, type EventDefinition, eventRow } from '../outbox/outbox.ts';

/**
 * Owes a delivery one attempt more, now: same event id, same bytes. Throws not_found, and a conflict where its endpoint
 * takes nothing. Asked again before that attempt was made, it comes to the same attempt.
 */
export async function resendDelivery(change: Change, id: string): Promise<Row<'deliveries'>> {
  const { tx, now } = change;
  const missing = () => notFound('id', `There is no delivery ${id}. GET /manage/v1/deliveries lists those there are.`);
  const { endpoint_id } = (await tx.get('deliveries', { id })) ?? {};
  if (endpoint_id === undefined) throw missing();
  // The endpoint first, as its removal does; so neither can overtake the other.
  const endpoint = await tx.get('endpoints', { id: endpoint_id }, { lock: true });
  refuseUnlessActive(endpoint, endpoint_id);
  const delivery = await tx.get('deliveries', { id }, { lock: true });
  if (!delivery) throw missing();
  if (delivery.parked && endpoint?.ordered)
    throw illegalMove(`The delivery ${id} waits for its turn: its endpoint takes one after another, in order.`, []);
  const reason = delivery.status === 'pending' ? (manualReasonOf(delivery) ?? 'brought_forward') : 'resend';
  const [owed] = await tx.update(
    'deliveries',
    { id },
    { status: 'pending', reason, parked: false, next_attempt_at: now, updated_at: now },
  );
  if (!owed) throw missing();
  change.attempt(owed);
  return owed;
}

export interface TestEvent {
  endpointId: string;
  eventType: string;
  /** The catalogue's example where it is left out. */
  data?: unknown;
}

/**
 * Sends an event to one endpoint, whatever its filters say. It is in the ledger as an event that matched this endpoint
 * only. Throws not_found, a conflict for an inactive endpoint, and invalid for a type or data that do not fit.
 */
export async function sendTestEvent(
  change: Change,
  { endpointId, eventType, data }: TestEvent,
  catalogue: readonly EventDefinition[],
): Promise<Row<'deliveries'>> {
  const { tx, now } = change;
  const endpoint = await readEndpoint(tx, endpointId, { lock: true });
  const definition = definitionOf(endpoint, eventType, catalogue);
  const fitting = checkData(definition, data === undefined ? definition.example : data);
  refuseUnlessActive(endpoint, endpointId);
  const event = { ...eventRow(definition, null, fitting, now), fanned_out_at: now, matched: 1 };
  // Whoever tests wants to see now whether it arrives: past the lane, and past a hold, which its success ends.
  const first: Partial<Row<'deliveries'>> = { parked: false, reason: 'brought_forward' };
  const delivery = { ...newDelivery(event, endpoint, { now, firstAttemptAt: now }), ...first };
  await tx.append('events', [event]);
  await tx.append('deliveries', [delivery]);
  change.attempt(delivery);
  return delivery;
}

function refuseUnlessActive(endpoint: Endpoint | undefined, id: string): void {
  if (!endpoint || endpoint.deleted_at !== null)
    throw illegalMove(`The endpoint ${id} is deleted, so nothing can be sent to it.`, []);
  if (endpoint.active) return;
  throw illegalMove(
    `The endpoint ${id} is not active (${endpoint.disabled_reason}), so nothing is sent to it. Activate it first.`,
    [`PATCH /manage/v1/endpoints/${id} {"active": true}`],
  );
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
  throw new Refusal('invalid', 'invalid', `The data does not fit ${type}. GET /manage/v1/event-types has its schema.`, {
    details,
  });
}
