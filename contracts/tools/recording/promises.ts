import { literal } from '../../../gateway/base/text.ts';
import type { ServiceName } from '../../../spec/documents/services.ts';
import { isRecord } from '../../../spec/json.ts';
import { jsonSchema, type Schema } from '../../../spec/openapi/document.ts';
import { eventsOf } from '../../../spec/openapi/operations.ts';
import { stateOfEvent } from '../states/register.ts';
import { lineAt } from '../verification/explain.ts';
import { places } from '../verification/places.ts';
import type { Draft } from './draft.ts';
import type { WrittenInteraction } from './recorded.ts';
import { usualOf } from './sample.ts';

/** Pact's matchers, by place in a part of a reply or message. */
type Rules = Record<string, { combine: 'AND'; matchers: Record<string, unknown>[] }>;

const rule = (matcher: Record<string, unknown>) => ({ combine: 'AND' as const, matchers: [matcher] });
export const jsonContent = (content: unknown) => ({ content, contentType: 'application/json', encoded: false });
const jsonType = rule({ match: 'regex', regex: '^application/(.+\\+)?json(;.*)?$' });

/**
 * Returns what a pact promises of a reply: the status, and of the body what the documents show. A field is promised only if each
 * of the bodies has it.
 */
export function promisedReply({ service, found, status, fixed, most }: Draft, bodies: readonly unknown[]) {
  const { 'x-gap': gaps = [], requestBody, responses } = found.operation;
  const rules: Rules = {};
  // Neither document shows the bodies of errors, and for some operations the document says *not shown*.
  const isShown = status < 300 && !gaps.some((gap) => /-(response|detail)$/.test(gap));
  const { properties: sent = {} } = jsonSchema(requestBody) ?? {};
  const schema = isShown ? jsonSchema(responses[status]) : undefined;
  const content = schema && shapeOf(schema, bodies, '$', { isWhole: false, fixed, most, rules, sent });
  // Section 7 lists the status, and no gap says that its condition is open.
  const isOpen = (status < 300 && gaps.some((gap) => gap.endsWith('-status'))) || status in places[service].statusGaps;
  const isExact = !isOpen && lineAt(service, { section: '7', row: String(status) }) !== undefined;
  const matchingRules = {
    ...(content !== undefined && { header: { 'Content-Type': jsonType }, body: rules }),
    ...(!isExact && { status: { $: rule({ match: 'statusCode', status: status < 300 ? 'success' : 'clientError' }) } }),
  };
  return {
    status,
    ...(content !== undefined && { headers: { 'Content-Type': ['application/json'] }, body: jsonContent(content) }),
    ...(Object.keys(matchingRules).length > 0 && { matchingRules }),
  };
}

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
  const walk = { isWhole: true, fixed: { '$.event': event }, most: undefined, sent: {}, rules };
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

interface Walk extends Pick<Draft, 'fixed' | 'most'> {
  /** True if records of which the document shows no field are promised too. */
  isWhole: boolean;
  rules: Rules;
  /** The fields of the request. If one is open, its value is open in the reply too. */
  sent: Record<string, Schema>;
}

/** Returns the example of a value that all `values` show, and adds its matchers; undefined for what is not promised. */
function shapeOf(schema: Schema, values: readonly unknown[], path: string, walk: Walk): unknown {
  if (values.length === 0 || values.some((value) => value === undefined || value === null)) return undefined;
  // A field that may be null is never promised.
  if ([schema, ...(schema.anyOf ?? [])].some(({ type }) => [type].flat().includes('null'))) return undefined;
  const one = schema.anyOf?.[0] ?? schema;
  if (one.type === 'object') return recordOf(one, values, path, walk);
  if (one.type === 'array') return listOf(one, values, path, walk);
  const fixed = walk.fixed[path];
  const isOpen = [one, walk.sent[path.split('.').at(-1) ?? '']].some((field) => field?.['x-gap'] !== undefined);
  walk.rules[path] = rule(fixed === undefined ? matcherOf(one, isOpen) : matcherOfFixed(fixed));
  return fixed instanceof RegExp ? fixed.source.replaceAll(/[\^$.*]/g, '') : (fixed ?? usualOf(one));
}

function recordOf(schema: Schema, values: readonly unknown[], path: string, walk: Walk): unknown {
  // A record of which the document shows no field.
  if (!walk.isWhole && schema['x-gap'] !== undefined) return path.endsWith('[*]') ? {} : undefined;
  const records = values.filter(isRecord);
  if (records.length < values.length) return undefined;
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, child]) => {
    const held = records.map((record) => record[name]);
    const shape = shapeOf(child, held, `${path}.${name}`, walk);
    return shape === undefined ? [] : [[name, shape] as const];
  });
  if (fields.length === 0 && path === '$') return undefined;
  if (fields.length === 0) walk.rules[path] = rule({ match: 'type' });
  return Object.fromEntries(fields);
}

function listOf({ items }: Schema, values: readonly unknown[], path: string, walk: Walk): unknown {
  const lists = values.filter(Array.isArray);
  if (lists.length < values.length) return undefined;
  const isData = path === '$.data';
  // If the list is empty in every reply, the request finds nothing.
  if (lists.every(({ length }) => length === 0)) return isData ? [] : undefined;
  const isNeverEmpty = lists.every(({ length }) => length > 0);
  const row = isNeverEmpty && items ? shapeOf(items, lists.flat(), `${path}[*]`, walk) : undefined;
  if (row === undefined) return undefined;
  walk.rules[path] = rule({ match: 'type', min: 1, ...(isData && walk.most !== undefined && { max: walk.most }) });
  return [row];
}

const matcherOfFixed = (fixed: unknown) =>
  fixed instanceof RegExp ? { match: 'regex', regex: fixed.source } : { match: 'equality' };

const dateTime = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$';

/** The type or form of a field; its value only if the document fixes it, by an enum without a gap. */
function matcherOf({ const: only, enum: known = only === undefined ? [] : [only], format, type }: Schema, isOpen: boolean) {
  if (known.length === 1 && !isOpen) return { match: 'equality' };
  if (known.length > 1 && !isOpen)
    return { match: 'regex', regex: `^(${known.map((value) => literal(String(value))).join('|')})$` };
  if (format === 'date-time') return { match: 'regex', regex: dateTime };
  if (format === 'date') return { match: 'regex', regex: '^\\d{4}-\\d{2}-\\d{2}$' };
  return { match: ['integer', 'number', 'boolean'].includes(String(type)) ? type : 'type' };
}
