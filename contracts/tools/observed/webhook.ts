import type { ServiceName } from '../../../spec/documents/services.ts';
import { messageUnder } from '../../../spec/gaps/is/effect.ts';
import type { JsonMessage } from '../../../spec/gaps/is/is.ts';
import { fieldsOf, isRecord } from '../../../spec/json.ts';
import { jsonSchema } from '../../../spec/openapi/document.ts';
import { eventsOf } from '../../../spec/openapi/operations.ts';
import { compare, traitsUnder } from './compare.ts';
import type { Finding, IsExcluded } from './finding.ts';
import { examplesOf, type Seen, signatureTraits, traitsIn } from './traits.ts';

/** A webhook of the service. Names of headers are in lower case. */
export interface Webhook {
  headers: Record<string, string>;
  body: unknown;
}

/** The documented event that a webhook is about, wherever it is named. Anybody may send something else to an open address. */
export function eventOf(api: ServiceName, { headers, body }: Webhook): string | undefined {
  const texts: unknown[] = [...Object.values(fieldsOf(body)), ...Object.values(headers)];
  return Object.keys(eventsOf(api)).find((event) => texts.includes(event));
}

const metadata = {
  'x-service-signature': `sha256=${'ab'.repeat(32)}`,
  'webhook-id': '1',
  'webhook-timestamp': '1',
  'webhook-signature': '1',
};

/** Says what one webhook shows about the entries of the register. */
export function webhookFindings(api: ServiceName, webhook: Webhook, isExcluded: IsExcluded): Finding[] {
  const event = eventOf(api, webhook);
  if (event === undefined) return [];
  const examples = examplesOf(jsonSchema(eventsOf(api)[event]?.requestBody));
  const ours = examples.map((body): JsonMessage => ({ event, metadata, body: { ...fieldsOf(body), event } }));
  const seen = traitsOf({ event, metadata: webhook.headers, body: webhook.body });
  const underParts = traitsUnder(ours, messageUnder, (message) => traitsOf(message).names);
  return compare(api, { what: 'a webhook', seen, traitsUnder: underParts }, isExcluded);
}

const ofEnvelope = ['delivered_at', 'created_at'];

function traitsOf({ event, metadata: headers, body }: JsonMessage): Seen {
  const fields = fieldsOf(body);
  const isNamed = Object.values(fields).includes(event);
  const around = isRecord(fields.data) ? Object.keys(fields) : ['no envelope'];
  // If the body is the bare record, fields with the names of the envelope belong to the record.
  const isOfRecord = ([name, value]: [string, unknown]) => value !== event && !(isNamed && ofEnvelope.includes(name));
  const payload = isRecord(fields.data) ? fields.data : Object.fromEntries(Object.entries(fields).filter(isOfRecord));
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return traitsIn(payload, [...around, ...(isNamed ? ['the event in the body'] : []), ...signatureTraits(lower)]);
}
