import type { ServiceName } from '../../../spec/documents/services.ts';
import { jsonSchema } from '../../../spec/openapi/document.ts';
import { eventsOf } from '../../../spec/openapi/operations.ts';
import { stateOfEvent } from '../states/register.ts';
import type { WrittenInteraction } from './recorded.ts';
import { jsonContent, type Rules, rule, shapeOf } from './reply.ts';

const signature = 'X-SERVICE-Signature';
const exampleSignature = `sha256=${'0123456789abcdef'.repeat(4)}`;

/**
 * Returns the interaction of an event, or the reason why there is none. It promises what the document shows. Only the event's name
 * comes from a delivery, because the rest is different each time, and may be secret.
 */
export function messageOf(service: ServiceName, event: string): WrittenInteraction | string {
  const { [event]: operation } = eventsOf(service);
  const state = stateOfEvent(service, event);
  if (operation === undefined || state === undefined) return 'no state causes it';
  const isSigned = !operation['x-gap']?.includes(`${service}.webhook-signing`);
  const shown = operation.requestBody?.content?.['application/json'] as { example?: unknown } | undefined;
  const whole = jsonSchema(operation.requestBody) ?? {};
  const isPayloadOpen = operation['x-gap']?.some((id) => id.endsWith('-payload'));
  const payload = isPayloadOpen ? { ...whole, properties: { event: whole.properties?.event ?? {} } } : whole;
  const rules: Rules = {};
  const walk = { isWhole: true, fixed: { '$.event': event }, most: undefined, open: new Set<string>(), rules };
  return {
    type: 'Asynchronous/Messages',
    description: `the webhook ${event}`,
    pending: false,
    providerStates: [{ name: state, params: {} }],
    contents: jsonContent(shapeOf(payload, [shown?.example], '$', walk)),
    metadata: { contentType: 'application/json', ...(isSigned && { [signature]: exampleSignature }) },
    matchingRules: {
      body: rules,
      ...(isSigned && { metadata: { [signature]: rule({ match: 'regex', regex: '^sha256=[0-9a-fA-F]{64}$' }) } }),
    },
  };
}
