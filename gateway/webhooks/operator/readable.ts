import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { isTestOf } from '../outbox/owners.ts';
import { sees } from '../outbox/subscriptions.ts';

type Delivery = Row<'deliveries'>;

/**
 * Reads the events that the owners of the deliveries' endpoints may read. Returns a function from a delivery to its event. An
 * event that has left an owner's perimeter can be read if it was sent to the owner before. Otherwise it is undefined, like an
 * event that is not stored any more.
 */
export async function readableEvents(
  rows: Rows,
  deliveries: readonly Delivery[],
): Promise<(delivery: Delivery) => Row<'events'> | undefined> {
  const ids = (column: 'event_id' | 'endpoint_id') => ({ in: [...new Set(deliveries.map((delivery) => delivery[column]))] });
  const [events, endpoints] = await Promise.all([
    rows.list('events', { where: { id: ids('event_id') } }),
    rows.list('endpoints', { where: { id: ids('endpoint_id') } }),
  ]);
  const eventOf = new Map(events.map((event) => [event.id, event]));
  const endpointOf = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
  return ({ event_id, endpoint_id, attempts }) => {
    const [event, endpoint] = [eventOf.get(event_id), endpointOf.get(endpoint_id)];
    if (!event || !endpoint) return undefined;
    return attempts > 0 || isTestOf(endpoint, event) || sees(endpoint.visible, event.subject) ? event : undefined;
  };
}
