import { literal } from '../../../gateway/base/text.ts';
import { documented } from '../../../spec/documents/documented.ts';
import { isRecord } from '../../../spec/json.ts';
import { jsonSchema, type Operation, type Schema } from '../../../spec/openapi/document.ts';
import { places } from '../verification/places.ts';
import type { Draft } from './draft.ts';
import { usualOf } from './sample.ts';

/** Pact's matchers, by place in a part of a reply or message. */
export type Rules = Record<string, { combine: 'AND'; matchers: Record<string, unknown>[] }>;

export const rule = (matcher: Record<string, unknown>) => ({ combine: 'AND' as const, matchers: [matcher] });
export const jsonContent = (content: unknown) => ({ content, contentType: 'application/json', encoded: false });
const jsonType = rule({ match: 'regex', regex: '^application/(.+\\+)?json(;.*)?$' });

/**
 * Returns what a pact promises of a reply: the status, and of the body what the documents show. A field is promised only if each
 * of the bodies has it.
 */
export function promisedReply({ service, found, status, fixed, most }: Draft, bodies: readonly unknown[]) {
  const { operation } = found;
  const rules: Rules = {};
  const schema = isDocumentedBody(operation, status) ? jsonSchema(operation.responses[status]) : undefined;
  const content = schema && shapeOf(schema, bodies, '$', { isWhole: false, fixed, most, rules, open: openFields(operation) });
  const isExact = isDocumentedStatus(service, operation, status);
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

/** True if section 7 lists the status, and no gap says that its condition is open. */
function isDocumentedStatus(service: Draft['service'], operation: Operation, status: number): boolean {
  const isListed = documented[service].some(({ section, says }) => section.startsWith('7.') && says.startsWith(`${status} |`));
  const isOpen = status < 300 && (operation['x-gap'] ?? []).some((gap) => gap.endsWith('-status'));
  return isListed && !isOpen && places[service].statusGaps[status] === undefined;
}

/** Neither document shows the bodies of errors, and for some operations the document says *not shown*. */
const isDocumentedBody = (operation: Operation, status: number): boolean =>
  status < 300 && !(operation['x-gap'] ?? []).some((gap) => /-(response|detail)$/.test(gap));

/** The fields of a request that are open. Their values are open in the reply too. */
const openFields = (operation: Operation): ReadonlySet<string> => {
  const sent = Object.entries(jsonSchema(operation.requestBody)?.properties ?? {});
  return new Set(sent.filter(([, field]) => field['x-gap'] !== undefined).map(([name]) => name));
};

interface Walk extends Pick<Draft, 'fixed' | 'most'> {
  /** True if records of which the document shows no field are promised too. */
  isWhole: boolean;
  rules: Rules;
  open: ReadonlySet<string>;
}

/** Returns the example of a value that all `values` show, and adds its matchers; undefined for what is not promised. */
export function shapeOf(schema: Schema, values: readonly unknown[], path: string, walk: Walk): unknown {
  if (values.length === 0 || values.some((value) => value === undefined || value === null)) return undefined;
  // A field that may be null is never promised.
  if ([schema, ...(schema.anyOf ?? [])].some(({ type }) => [type].flat().includes('null'))) return undefined;
  const one = schema.anyOf?.[0] ?? schema;
  if (one.type === 'object') return recordOf(one, values, path, walk);
  if (one.type === 'array') return listOf(one, values, path, walk);
  const fixed = walk.fixed[path];
  const isOpen = one['x-gap'] !== undefined || walk.open.has(path.split('.').at(-1) ?? '');
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
