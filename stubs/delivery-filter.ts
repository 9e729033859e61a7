import { Refusal } from '../gateway/base/errors.ts';
import { didYouMean } from '../gateway/base/nearest.ts';
import type { DeliveryFilter } from './webhook-types.ts';
import type { Gateway } from './webhooks.ts';

/**
 * Throws a `Refusal` for an event type, endpoint or event that does not exist, with the nearest event type: such a filter
 * would match nothing, and a test would pass, or wait, for the wrong reason.
 */
export async function checkDeliveryFilter(
  { services: { store }, catalogue }: Gateway,
  { event_type: type, endpoint_id: endpoint, event_id: event }: DeliveryFilter,
): Promise<void> {
  const types = catalogue.map((one) => one.type);
  // Without validation, `trigger` sends events of any type.
  if (type !== undefined && !types.includes(type) && (await store.list('events', { where: { type }, limit: 1 })).length === 0) {
    const message = `"${type}" is not an event. ${didYouMean(type, types)}The events are ${types.join(', ')}. A type of your own is known once it was sent.`;
    throw new Refusal('invalid', 'unknown_event', message);
  }
  if (endpoint !== undefined && !(await store.get('endpoints', { id: endpoint })))
    throw unknown('endpoint', endpoint, 'GET /manage/v1/endpoints (passerelle stub endpoints) lists all of them.');
  if (event !== undefined && !(await store.get('events', { id: event })))
    throw unknown('event', event, 'The reply of trigger has the id, and so has the webhook-id of a delivery.');
}

const unknown = (what: string, id: string, hint: string) =>
  new Refusal('not_found', `unknown_${what}`, `There is no ${what} ${id}. ${hint}`);
