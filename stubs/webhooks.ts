import { z } from 'zod';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { Refusal } from '../gateway/base/errors.ts';
import { nearestOf } from '../gateway/base/nearest.ts';
import type { Gateway as RunningGateway } from '../gateway/gateway.ts';
import { viewAttempt, viewDelivery } from '../gateway/manage/webhooks/views.ts';
import type { EventService } from '../gateway/store/tables/webhooks.ts';
import { createEndpoint } from '../gateway/webhooks/endpoints/endpoints.ts';
import { resendDelivery } from '../gateway/webhooks/operator/manual.ts';
import { readDelivery } from '../gateway/webhooks/operator/queries.ts';
import { type EventDefinition, eventRow } from '../gateway/webhooks/outbox/event.ts';
import { fanOutInline } from '../gateway/webhooks/outbox/inline-fanout.ts';
import type { EventToSend, StubDelivery, StubEndpoint, Triggered, TriggerOptions } from './webhook-types.ts';

export type { EventToSend, StubDelivery, StubEndpoint, Triggered, TriggerOptions };

/** The parts of a gateway that webhooks are triggered and looked up with. */
type Gateway = Pick<RunningGateway, 'services' | 'catalogue' | 'settled'>;

/** Registers an endpoint. Its secret depends on its position only, so that tests can contain it. */
export async function addEndpoint(
  { services, catalogue }: Pick<Gateway, 'services' | 'catalogue'>,
  service: EventService,
  { url, events = null, place }: { url: string; events?: string[] | null; place: number },
): Promise<StubEndpoint> {
  const { keys, change } = services;
  const secret = `whsec_${keys.derive(`stub webhook ${service} ${place}`).toString('base64')}`;
  const input = { service, url, events, description: 'of the stub', perimeter: null, active: true };
  const id = await change(async (step) => {
    const { endpoint } = await createEndpoint(step, input, { catalogue, allowLoopback: true, keys });
    const secrets = endpoint.secrets.map((one) => ({ ...one, sealed: keys.seal(secret) }));
    await step.tx.update('endpoints', { id: endpoint.id }, { secrets });
    return endpoint.id;
  });
  return { id, url, events, secret };
}

/** Emits events through the outbox, in one change, and waits for their first attempts. */
export async function trigger(
  gateway: Gateway,
  service: EventService,
  events: readonly EventToSend[],
  options: TriggerOptions = {},
) {
  const { services } = gateway;
  const wanted = events.map((one) => prepared(gateway.catalogue, service, one, options.validate ?? true));
  const before = (await services.store.list('events', { order: [['id', 'desc']], limit: 1 }))[0]?.id ?? '';
  await services.change(async (step) => {
    for (const { definition, subject, data } of wanted) step.emit(definition, { subject, data });
  }, 'stub');
  const made = await services.store.list('events', { where: { id: { gt: before } }, order: [['id', 'asc']] });
  const ids = made.slice(0, events.length).map(({ id }) => id);
  return finish(gateway, ids, options);
}

/** Creates events in the given order and delivers them in reverse order, each after the attempt of the one before. */
export async function triggerReordered(
  gateway: Gateway,
  service: EventService,
  events: readonly EventToSend[],
  options: TriggerOptions = {},
): Promise<Triggered[]> {
  const { store, clock, change } = gateway.services;
  const now = clock.now();
  const rows = events
    .map((one) => prepared(gateway.catalogue, service, one, options.validate ?? true))
    .map(({ definition, subject, data }) => eventRow(definition, { subject, data, now, causedBy: 'stub' }));
  const made = await store.transaction(async (tx) => {
    const fresh = await fanOutInline(tx, rows, 0);
    if (fresh === null)
      throw new CouldNotRun('Too many events or endpoints to reorder. At most 10 events and 50 deliveries can be reordered.');
    await tx.append('events', rows);
    await tx.append(
      'deliveries',
      fresh.map(({ delivery }) => delivery),
    );
    return fresh;
  });
  for (const row of rows.toReversed()) {
    const mine = made.filter(({ event, delivery }) => event.id === row.id && delivery.status === 'pending');
    await change(async (step) => {
      for (const { delivery } of mine) step.attempt(delivery);
    });
    await gateway.settled();
  }
  return finish(
    gateway,
    rows.map(({ id }) => id),
    options,
  );
}

async function finish(gateway: Gateway, ids: readonly string[], { duplicates = 0 }: TriggerOptions): Promise<Triggered[]> {
  await gateway.settled();
  for (let again = 0; again < duplicates; again++) {
    const deliveries = await gateway.services.store.list('deliveries', { where: { event_id: { in: ids } } });
    for (const { id, status } of deliveries) if (status !== 'skipped') await resend(gateway, id);
  }
  return Promise.all(
    ids.map(async (id) => {
      const event = await gateway.services.store.get('events', { id });
      return { id, event: event?.type ?? '', deliveries: await deliveriesOf(gateway, { event_id: id }) };
    }),
  );
}

/** Makes one more attempt with the same bytes and the same `webhook-id`. Returns the delivery after it. */
export async function resend(gateway: Gateway, id: string): Promise<StubDelivery> {
  await gateway.services.change((step) => resendDelivery(step, id));
  await gateway.settled();
  return shown(gateway, id);
}

/** Lists deliveries with their attempts, oldest first. */
export async function deliveriesOf(
  gateway: Gateway,
  where: { event_id?: string; status?: string; endpoint_id?: string; event_type?: string } = {},
): Promise<StubDelivery[]> {
  const rows = await gateway.services.store.list('deliveries', { where, order: [['id', 'asc']] });
  return Promise.all(rows.map(({ id }) => shown(gateway, id)));
}

async function shown({ services }: Gateway, id: string): Promise<StubDelivery> {
  const { delivery, endpoint, attempts } = await readDelivery(services.store, id);
  return { ...viewDelivery(delivery), url: endpoint?.url ?? null, attempts_made: attempts.map(viewAttempt) };
}

function prepared(catalogue: readonly EventDefinition[], service: EventService, { event, data }: EventToSend, validate: boolean) {
  const known = catalogue.filter((one) => one.service === service);
  const definition = known.find(({ type }) => type === event);
  if (!definition && validate) {
    const types = known.map(({ type }) => type);
    const message = `"${event}" is not an event of ${service}. Did you mean ${nearestOf(event, types)}? Its events are ${types.join(', ')}. To send it anyway, turn validation off.`;
    throw new Refusal('invalid', 'unknown_event', message, { details: [{ field: 'event', rule: 'unknown_event', message }] });
  }
  const merged = merge((definition?.example ?? {}) as Record<string, unknown>, data ?? {});
  if (definition && validate) checkData(definition, merged);
  const about = merged.store_id ?? merged.structure_id;
  const base = definition ?? { type: event, service, summary: '', example: {}, gaps: [] };
  const sent: EventDefinition = { ...base, data: validate && definition ? definition.data : z.unknown() };
  return { definition: sent, subject: about === undefined ? null : String(about), data: merged };
}

function checkData({ type, data: schema }: EventDefinition, data: Record<string, unknown>): void {
  const strict = schema instanceof z.ZodObject ? schema.strict() : schema;
  const parsed = strict.safeParse(data);
  if (parsed.success) return;
  const details = parsed.error.issues.map(({ path, code, message }) => ({
    field: ['data', ...path].join('.'),
    rule: code,
    message,
  }));
  const first = details.map(({ field, message }) => `${field}: ${message}`).join('; ');
  throw new Refusal(
    'invalid',
    'invalid_data',
    `The data does not match the schema of ${type}: ${first}. To send it anyway, turn validation off.`,
    {
      details,
    },
  );
}

function merge(base: Record<string, unknown>, over: Record<string, unknown>): Record<string, unknown> {
  const merged = { ...base };
  for (const [name, value] of Object.entries(over)) {
    const before = merged[name];
    merged[name] = isPlain(before) && isPlain(value) ? merge(before, value) : value;
  }
  return merged;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
