import { z } from 'zod';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { invalid, Refusal } from '../gateway/base/errors.ts';
import { didYouMean } from '../gateway/base/nearest.ts';
import type { Row } from '../gateway/store/tables/index.ts';
import { type Endpoint, readEndpoint } from '../gateway/webhooks/endpoints/endpoints.ts';
import { newDelivery } from '../gateway/webhooks/model/new-delivery.ts';
import type { Change } from '../gateway/webhooks/outbox/change.ts';
import type { EventDefinition } from '../gateway/webhooks/outbox/event.ts';
import { fanOutInline } from '../gateway/webhooks/outbox/inline-fanout.ts';
import { type ServiceName, serviceNames } from '../spec/documents/services.ts';
import { eventsOf } from '../spec/openapi/operations.ts';
import { endpointAt } from './endpoints.ts';
import { merge } from './merge.ts';
import { type Emitted, type OccurParts, occur } from './occur.ts';
import type { EventToSend, Triggered, TriggerOptions } from './webhook-types.ts';
import { deliveriesOf, type Gateway, resend } from './webhooks.ts';

export interface TriggerParts extends Omit<OccurParts, 'services'> {
  gateway: Gateway;
  /** The stub's signing secret. */
  secret: string;
}

/** Causes events, or emits examples of them, and waits for their first attempts. */
export async function trigger(
  parts: TriggerParts,
  events: readonly EventToSend[],
  options: TriggerOptions & { reorder?: boolean } = {},
): Promise<Triggered[]> {
  const { gateway, service } = parts;
  const { validate = true, reorder = false, duplicates = 0, to, secret, owner } = options;
  const prepared = events.map((one) => prepare(gateway.catalogue, service, one, validate));
  if (to === undefined && secret !== undefined)
    throw invalid('secret', 'needs_to', 'A secret signs the deliveries to one URL: give `to` with it.');
  if (to === undefined && owner !== undefined)
    throw invalid('owner', 'needs_to', 'An owner has the endpoint at one URL: give `to` with it.');
  if (reorder && events.length < 2)
    throw invalid('reorder', 'needs_events', '`reorder` delivers several events in reverse order: give two or more.');
  const target =
    to === undefined ? undefined : await endpointAt(gateway, service, { to, secret, stubSecret: parts.secret, owner });
  const wanted: Wanted[] = [];
  for (const one of prepared) wanted.push(await cause(parts, one));
  const all = await (reorder ? emitReordered : emit)(
    gateway,
    wanted.flatMap(({ emitted }) => emitted),
    target,
  );
  const ids = idsOf(wanted, all);
  await gateway.settled();
  for (let again = 0; again < duplicates; again++) await repeat(gateway, ids);
  return Promise.all(
    wanted.map(async ({ event, example, because }, at) => {
      const id = ids[at] ?? '';
      return { id, event, example, because, deliveries: await deliveriesOf(gateway, { event_id: id }) };
    }),
  );
}

/** A wanted event with everything that is emitted for it: itself, and what else its change caused. */
interface Wanted {
  event: string;
  emitted: readonly Emitted[];
  example: boolean;
  because: string;
}

/** Makes the change that causes the event, unless its data is given. Without a change, the event is an example. */
async function cause(
  { gateway: { services }, ...parts }: TriggerParts,
  { event, on, given, example }: Prepared,
): Promise<Wanted> {
  if (given) return { event, emitted: [example], example: true, because: 'Its data was given.' };
  const { emitted, because } = await occur({ ...parts, services }, { event, on });
  return { event, emitted: emitted ?? [example], example: emitted === undefined, because };
}

/** The id of each wanted event, from the ids of everything that was emitted for them. */
function idsOf(wanted: readonly Wanted[], ids: readonly string[]): string[] {
  let before = 0;
  return wanted.map(({ event, emitted }) => {
    const at = before + emitted.findIndex(({ definition }) => definition.type === event);
    before += emitted.length;
    return ids[at] ?? '';
  });
}

/** Emits events through the outbox, in one change. Returns their ids. */
async function emit({ services, settled }: Gateway, wanted: readonly Emitted[], target?: string): Promise<string[]> {
  const before = await services.change(async (step) => {
    // Transactions run one after another, so the next events are those emitted here.
    const [newest] = await step.tx.list('events', { order: [['id', 'desc']], limit: 1 });
    for (const { definition, subject, data } of wanted) step.emit(definition, { subject, data });
    return newest?.id ?? '';
  }, 'stub');
  const query = { where: { id: { gt: before } }, order: [['id', 'asc']], limit: wanted.length } as const;
  const made = await services.store.list('events', query);
  if (target === undefined) return made.map(({ id }) => id);
  // The background fan-out counts the endpoints that an event matched. It must not come after this delivery.
  if (made.some(({ fanned_out_at }) => fanned_out_at === null)) await settled();
  for (const { id } of made) await services.change((step) => deliverTo(step, id, target));
  return made.map(({ id }) => id);
}

/** Delivers a stored event to one endpoint, unless the endpoint already has a delivery of it. */
async function deliverTo({ tx, now, attempt }: Change, id: string, target: string): Promise<void> {
  if (await tx.get('deliveries', { event_id: id, endpoint_id: target })) return;
  const event = (await tx.get('events', { id }, { lock: true })) as Row<'events'>;
  const delivery = newDelivery(event, await readEndpoint(tx, target), { now, firstAttemptAt: now });
  await tx.update('events', { id }, { matched: (event.matched ?? 0) + 1 });
  await tx.append('deliveries', [delivery]);
  attempt(delivery);
}

/** Creates events in the given order and delivers them in reverse order, each after the attempt of the one before. */
async function emitReordered({ services, settled }: Gateway, wanted: readonly Emitted[], target?: string): Promise<string[]> {
  const { change } = services;
  const { rows, made } = await change(async ({ tx, newEvent }) => {
    const rows: Row<'events'>[] = [];
    for (const { definition, subject, data } of wanted)
      rows.push(await newEvent(definition, { subject, dataText: JSON.stringify(data) }));
    const fresh = await fanOutInline(tx, rows, 0);
    if (!fresh.isComplete)
      throw new CouldNotRun('Too many events or endpoints to reorder. At most 10 events and 50 deliveries can be reordered.');
    const made = fresh.created.map(({ delivery }) => delivery);
    if (target !== undefined) made.push(...deliveriesTo(await readEndpoint(tx, target), rows, made));
    await tx.append('events', rows);
    await tx.append('deliveries', made);
    return { rows, made };
  }, 'stub');
  for (const { id } of rows.toReversed()) {
    const mine = made.filter(({ event_id, status }) => event_id === id && status === 'pending');
    await change(async (step) => {
      for (const delivery of mine) step.attempt(delivery);
    });
    await settled();
  }
  return rows.map(({ id }) => id);
}

/** Returns a delivery to the endpoint for each new event without one there, and counts it in the event's row. */
function deliveriesTo(endpoint: Endpoint, rows: Row<'events'>[], made: readonly Row<'deliveries'>[]): Row<'deliveries'>[] {
  const matched = new Set(made.filter(({ endpoint_id }) => endpoint_id === endpoint.id).map(({ event_id }) => event_id));
  return rows
    .filter(({ id }) => !matched.has(id))
    .map((row) => {
      row.matched = (row.matched ?? 0) + 1;
      return newDelivery(row, endpoint, { now: row.created_at, firstAttemptAt: row.created_at });
    });
}

async function repeat(gateway: Gateway, ids: readonly string[]): Promise<void> {
  const deliveries = await gateway.services.store.list('deliveries', { where: { event_id: { in: ids } } });
  for (const { id, status } of deliveries) if (status !== 'skipped') await resend(gateway, id);
}

interface Prepared {
  event: string;
  on: string | undefined;
  /** True if the event's data is given. */
  given: boolean;
  /** The event that is sent if no change is made. */
  example: Emitted;
}

/** For the library, HTTP and the command line. */
const sendAnyway = 'To send it anyway, set validate to false (on the command line: --no-validate).';

/** Checks an event and its data. Throws a `Refusal` that names the nearest event, or the wrong fields. */
function prepare(
  catalogue: readonly EventDefinition[],
  service: ServiceName,
  { event, data, on }: EventToSend,
  validate: boolean,
): Prepared {
  const known = catalogue.filter((one) => one.service === service);
  const definition = known.find(({ type }) => type === event);
  if (!definition && validate) {
    const types = known.map(({ type }) => type);
    const owner = serviceNames.find((name) => Object.hasOwn(eventsOf(name), event));
    const instead = owner ? `It is one of ${owner}: use a stub of ${owner}. ` : didYouMean(event, types);
    const message = `"${event}" is not an event of ${service}. ${instead}Its events are ${types.join(', ')}. ${sendAnyway}`;
    throw new Refusal('invalid', 'unknown_event', message, { details: [{ field: 'event', rule: 'unknown_event', message }] });
  }
  const merged = merge((definition?.example ?? {}) as Record<string, unknown>, data ?? {});
  if (definition && validate) checkData(definition, merged);
  const about = merged.store_id ?? merged.structure_id;
  const base = definition ?? { type: event, service, summary: '', example: {}, gaps: [] };
  const sent: EventDefinition = { ...base, data: validate && definition ? definition.data : z.unknown() };
  // Also an empty object: who gives data asks for an example.
  const given = data !== undefined;
  if (given && on !== undefined)
    throw invalid(
      'on',
      'with_data',
      `"on" chooses the record of a change, but data describes an event without one. Leave out "on" or "data".`,
    );
  const example = { definition: sent, subject: about === undefined ? null : String(about), data: merged };
  return { event, on: on === undefined ? undefined : String(on), given, example };
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
  throw new Refusal('invalid', 'invalid_data', `The data does not match the schema of ${type}: ${first}. ${sendAnyway}`, {
    details,
  });
}
