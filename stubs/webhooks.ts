import { Refusal } from '../gateway/base/errors.ts';
import type { Gateway as RunningGateway } from '../gateway/gateway.ts';
import type { Where } from '../gateway/store/port.ts';
import { resendDelivery } from '../gateway/webhooks/operator/manual.ts';
import { readDelivery } from '../gateway/webhooks/operator/queries.ts';
import type { StubDelivery } from './webhook-types.ts';

/** The parts of a gateway that webhooks are triggered and looked up with. */
export type Gateway = Pick<RunningGateway, 'services' | 'catalogue' | 'settled'>;

/** Makes one more attempt with the same bytes and the same `webhook-id`. Returns the delivery after it. */
export async function resend(gateway: Gateway, id: string): Promise<StubDelivery> {
  if (!(await gateway.services.store.get('deliveries', { id })))
    throw new Refusal(
      'not_found',
      'unknown_delivery',
      `There is no delivery ${id}. GET /manage/v1/deliveries (passerelle stub deliveries) lists all of them.`,
    );
  await gateway.services.change((step) => resendDelivery(step, id));
  await gateway.settled();
  return shown(gateway, id);
}

/** Lists deliveries with their attempts, oldest first. `limit`: the newest of them. */
export async function deliveriesOf(
  gateway: Gateway,
  { limit, ...where }: Where<'deliveries'> & { limit?: number } = {},
): Promise<StubDelivery[]> {
  const query = { where, order: [['id', 'desc']], ...(limit !== undefined && { limit }) } as const;
  const rows = await gateway.services.store.list('deliveries', query);
  return Promise.all(rows.toReversed().map(({ id }) => shown(gateway, id)));
}

async function shown({ services }: Gateway, id: string): Promise<StubDelivery> {
  const { viewAttempt, viewDelivery } = await import('../gateway/manage/webhooks/views.ts');
  const { delivery, event, endpoint, attempts } = await readDelivery(services.store, id);
  const { url = null } = endpoint ?? {};
  return { ...viewDelivery(delivery), url, body: event?.body ?? null, attempts_made: attempts.map(viewAttempt) };
}
