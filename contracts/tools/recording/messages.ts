import { nearestOf } from '../../../gateway/base/nearest.ts';
import { type ServiceName, services } from '../../../spec/documents/services.ts';
import { findGap } from '../../../spec/gaps/gaps.ts';
import { jsonSchema, type Operation, type Schema } from '../../../spec/openapi/document.ts';
import { eventsOf } from '../../../spec/openapi/operations.ts';
import { stateOfEvent } from '../states/register.ts';
import type { RecordedDelivery } from './recorded.ts';
import { type Rules, shapeOf } from './reply.ts';

/** An interaction of the type `Asynchronous/Messages` of a version 4 pact. */
export type WrittenMessage = {
  type: 'Asynchronous/Messages';
  description: string;
  pending: false;
  providerStates: { name: string; params: Record<string, unknown> }[];
  contents: { content: unknown; contentType: 'application/json'; encoded: false };
  metadata: Record<string, string>;
  matchingRules: { body: Rules; metadata?: Rules };
  comments?: { references: { gap: Record<string, string> } };
};

export interface Messages {
  interactions: WrittenMessage[];
  /** The webhooks of which no interaction was made, each with the reason as a part of a sentence. */
  leftOut: { description: string; reason: string }[];
}

/**
 * Returns a message interaction for each event that the receiver accepted, sorted by event. Only the event's name comes from a
 * delivery, because the rest is different each time, and may be secret. It promises what the document shows; with `promiseAll`
 * also what only the reference implementation defines.
 */
export function messagesOf(
  service: ServiceName,
  deliveries: readonly RecordedDelivery[],
  { promiseAll = false }: { promiseAll?: boolean } = {},
): Messages {
  const events = eventsOf(service);
  const accepted = new Set(deliveries.filter((one) => one.accepted).map((one) => one.eventType));
  const found: Messages = { interactions: [], leftOut: [] };
  for (const eventType of [...new Set(deliveries.map((one) => one.eventType))].sort()) {
    const operation = Object.hasOwn(events, eventType) ? events[eventType] : undefined;
    const state = operation && stateOfEvent(service, eventType);
    const leave = (reason: string) => found.leftOut.push({ description: descriptionOf(eventType), reason });
    if (operation === undefined || state === undefined)
      leave(`${services[service].title} sends no such event; the nearest is ${nearestOf(eventType, Object.keys(events))}`);
    else if (!accepted.has(eventType)) leave('the receiver never accepted it');
    else found.interactions.push(messageOf({ service, eventType, operation, state, promiseAll }));
  }
  return found;
}

const descriptionOf = (eventType: string) => `the webhook ${eventType}`;

interface Event {
  service: ServiceName;
  eventType: string;
  operation: Operation;
  /** The provider state that causes it. */
  state: string;
  promiseAll: boolean;
}

const signatureHeader = 'X-SERVICE-Signature';
const exampleSignature = `sha256=${'0123456789abcdef'.repeat(4)}`;

/** What the document of an API leaves open about each delivery: the gap, and what of a message depends on it. */
const openParts: Readonly<Record<ServiceName, { body: Record<string, string>; signature: Record<string, string> }>> = {
  pos: {
    body: { 'pos.webhook-target': 'a JSON body' },
    signature: { 'pos.webhook-signing': `the header ${signatureHeader} and its form` },
  },
  cohesion: { body: {}, signature: {} },
};

function messageOf({ service, eventType, operation, state, promiseAll }: Event): WrittenMessage {
  const { body, signature } = openParts[service];
  const isWhole = promiseAll || !isPayloadOpen(operation);
  const isSigned = promiseAll || Object.keys(signature).length === 0;
  const rules: Rules = {};
  const walk = { promiseAll: true, fixed: { '$.event': eventType }, most: undefined, open: new Set<string>(), rules };
  const content = shapeOf(payloadOf(operation, isWhole), [exampleOf(operation)], '$', walk);
  const open = (operation['x-gap'] ?? []).filter((id) => promiseAll || (isPayloadOpen(operation) && isEnvelope(id)));
  const gap = {
    ...Object.fromEntries(open.map((id) => [id, isEnvelope(id) ? 'the name in the field event' : 'the fields of data'])),
    ...body,
    ...(isSigned && signature),
  };
  return {
    type: 'Asynchronous/Messages',
    description: descriptionOf(eventType),
    pending: false,
    providerStates: [{ name: state, params: {} }],
    contents: { content, contentType: 'application/json', encoded: false },
    metadata: { contentType: 'application/json', ...(isSigned && { [signatureHeader]: exampleSignature }) },
    matchingRules: { body: rules, ...(isSigned && { metadata: { [signatureHeader]: signatureForm } }) },
    ...(Object.keys(gap).length > 0 && { comments: { references: { gap } } }),
  };
}

const signatureForm: Rules[string] = { combine: 'AND', matchers: [{ match: 'regex', regex: '^sha256=[0-9a-fA-F]{64}$' }] };

const isEnvelope = (id: string) => id.endsWith('.webhook-envelope');

/** True if the document says of this event that its payload is *not shown*. */
const isPayloadOpen = (operation: Operation): boolean =>
  (operation['x-gap'] ?? []).some((id) => /^Payload/.test(findGap(id)?.quote ?? ''));

/** The schema of what is promised: the whole body, or the event's name alone. */
function payloadOf(operation: Operation, isWhole: boolean): Schema {
  const whole = jsonSchema(operation.requestBody) ?? {};
  const { event = {} } = whole.properties ?? {};
  return isWhole ? whole : { ...whole, properties: { event } };
}

/** The example of the catalogue. A field that is null in it is never promised. */
const exampleOf = (operation: Operation): unknown =>
  (operation.requestBody?.content?.['application/json'] as { example?: unknown } | undefined)?.example;
