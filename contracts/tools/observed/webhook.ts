import type { ServiceName } from '../../../spec/documents/services.ts';
import { standardHeaders } from '../../../spec/gaps/is/both.ts';
import { messageUnder } from '../../../spec/gaps/is/effect.ts';
import type { JsonMessage } from '../../../spec/gaps/is/is.ts';
import { fieldsOf, isRecord } from '../../../spec/json.ts';
import { jsonSchema } from '../../../spec/openapi/document.ts';
import { eventsOf } from '../../../spec/openapi/operations.ts';
import { compare } from './compare.ts';
import type { Finding } from './finding.ts';
import { exampleOf, type Traits, traitsIn } from './traits.ts';

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

const signature = 'x-service-signature';

/** Says what one webhook shows about the entries of the register. */
export function webhookFindings(api: ServiceName, { headers, body }: Webhook): Finding[] {
  const event = eventOf(api, { headers, body });
  if (event === undefined) return [];
  const example = fieldsOf(exampleOf(jsonSchema(eventsOf(api)[event]?.requestBody)));
  const metadata = Object.fromEntries([signature, ...standardHeaders].map((name) => [name, 'sha256=ab']));
  const ours = { event, metadata, body: { ...example, event } };
  const real = traitsOf({ event, metadata: headers, body });
  return compare(api, 'a webhook', real, (parts) => traitsOf(messageUnder(parts, ours)));
}

function traitsOf({ event, metadata: given, body }: JsonMessage): Traits {
  const { delivered_at: _1, created_at: _2, ...fields } = fieldsOf(body);
  const name = Object.keys(fields).find((one) => fields[one] === event) ?? '';
  const { [name]: _3, ...bare } = fields;
  const headers = Object.fromEntries(Object.entries(given).map(([one, value]) => [one.toLowerCase(), String(value)]));
  const signing = [signature, ...standardHeaders, 'x-webhook-token'].filter((one) => one in headers);
  const [, digit] = /^sha256=\d*([a-f])[0-9a-f]*$/i.exec(headers[signature] ?? '') ?? [];
  return new Set([
    ...[name, isRecord(fields.data) ? 'data' : ''].filter(Boolean).map((one) => `(${one})`),
    `signature headers: ${signing.join(', ') || 'none'}`,
    ...(digit ? [`digits: ${digit === digit.toUpperCase() ? 'upper' : 'lower'} case`] : []),
    ...traitsIn(isRecord(fields.data) ? fields.data : bare),
  ]);
}
