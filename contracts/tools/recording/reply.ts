import { literal } from '../../../gateway/base/text.ts';
import { documented } from '../../../spec/documents/documented.ts';
import type { ServiceName } from '../../../spec/documents/services.ts';
import { jsonSchema, type Schema } from '../../../spec/openapi/document.ts';
import type { ProviderOperation } from '../../../spec/openapi/operations.ts';
import { places } from '../verification/places.ts';

/** Pact's matchers, by place in a part of a reply. */
export type Rules = Record<string, { combine: 'AND'; matchers: Record<string, unknown>[] }>;

export interface Promised {
  status: number;
  headers?: Record<string, string[]>;
  body?: { content: unknown; contentType: 'application/json'; encoded: false };
  matchingRules?: Record<string, unknown>;
}

export interface Witnessed {
  provider: ServiceName;
  found: ProviderOperation;
  status: number;
  /** The bodies of all calls with this request and kind of reply: a field is promised only if each of them has it. */
  bodies: readonly unknown[];
  /** Also promise what the documents do not show. */
  promiseAll: boolean;
  fixed: Readonly<Record<string, unknown>>;
  most: number | undefined;
}

const rule = (matcher: Record<string, unknown>) => ({ combine: 'AND' as const, matchers: [matcher] });
const jsonType = rule({ match: 'regex', regex: '^application/(.+\\+)?json(;.*)?$' });

/** What a pact promises of a reply: status and content type, and of the body what the documents show. */
export function promisedReply(witnessed: Witnessed): Promised {
  const { provider, found, status, bodies, promiseAll } = witnessed;
  const isExact = promiseAll || isDocumentedStatus(provider, found, status);
  const isJson = bodies.length > 0 && bodies.every((body) => body !== undefined);
  const schema =
    isJson && (promiseAll || isDocumentedBody(found, status)) ? jsonSchema(found.operation.responses[status]) : undefined;
  const rules: Rules = {};
  const content = schema && shapeOf(schema, bodies, '$', { ...witnessed, rules, open: openFields(found) });
  const matchingRules = {
    ...(isJson && { header: { 'Content-Type': jsonType } }),
    ...(Object.keys(rules).length > 0 && { body: rules }),
    ...(isExact ? {} : { status: { $: rule({ match: 'statusCode', status: status < 300 ? 'success' : 'clientError' }) } }),
  };
  return {
    status,
    ...(isJson && { headers: { 'Content-Type': ['application/json'] } }),
    ...(content !== undefined && { body: { content, contentType: 'application/json' as const, encoded: false as const } }),
    ...(Object.keys(matchingRules).length > 0 && { matchingRules }),
  };
}

/** True if section 7 lists the status, and no gap says that its condition is open. */
function isDocumentedStatus(provider: ServiceName, { operation }: ProviderOperation, status: number): boolean {
  const isListed = documented[provider].some(({ section, says }) => section.startsWith('7.') && says.startsWith(`${status} |`));
  const isOpen = status < 300 && (operation['x-gap'] ?? []).some((gap) => gap.endsWith('-status'));
  return isListed && !isOpen && places[provider].statusGaps[status] === undefined;
}

/** Neither document shows the bodies of errors, and for some operations the document says *not shown*. */
const isDocumentedBody = ({ operation }: ProviderOperation, status: number): boolean =>
  status < 300 && !(operation['x-gap'] ?? []).some((gap) => /-(response|detail)$/.test(gap));

type Walk = Pick<Witnessed, 'promiseAll' | 'fixed' | 'most'> & {
  rules: Rules;
  /** Fields of which the values are open, because the request leaves them open. */
  open: ReadonlySet<string>;
};

/** Returns the example of a value that all `values` show, and adds its matchers; undefined for what is not promised. */
export function shapeOf(schema: Schema, values: readonly unknown[], path: string, walk: Walk): unknown {
  if (values.length === 0 || values.some((value) => value === undefined || value === null)) return undefined;
  // A field that may be null is never promised.
  if ([schema, ...(schema.anyOf ?? [])].some(({ type: known }) => [known].flat().includes('null'))) return undefined;
  const one = schema.anyOf?.[0] ?? schema;
  const type = [one.type].flat()[0];
  if (type === 'object') return recordOf(one, values as Record<string, unknown>[], path, walk);
  if (type === 'array') return listOf(one, values as unknown[][], path, walk);
  const example = exampleOf(one, type);
  const isOpen = one['x-gap'] !== undefined || walk.open.has(path.split('.').at(-1) ?? '');
  walk.rules[path] = rule(matcherOf(one, type, { isOpen, fixed: walk.fixed[path] }));
  const fixed = walk.fixed[path];
  return fixed instanceof RegExp ? fixed.source.replaceAll(/[\^$.*]/g, '') : (fixed ?? example);
}

const openFields = ({ operation }: ProviderOperation): ReadonlySet<string> => {
  const sent = Object.entries(jsonSchema(operation.requestBody)?.properties ?? {});
  return new Set(sent.filter(([, field]) => field['x-gap'] !== undefined).map(([name]) => name));
};

function recordOf(schema: Schema, values: readonly Record<string, unknown>[], path: string, walk: Walk): unknown {
  // A record of which the document shows no field.
  if (!walk.promiseAll && schema['x-gap'] !== undefined) return path.endsWith('[*]') ? {} : undefined;
  if (values.some((value) => typeof value !== 'object' || Array.isArray(value))) return undefined;
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, child]) => {
    const shape = shapeOf(
      child,
      values.map((value) => value[name]),
      `${path}.${name}`,
      walk,
    );
    return shape === undefined ? [] : [[name, shape] as const];
  });
  if (fields.length === 0 && path === '$') return undefined;
  if (fields.length === 0) walk.rules[path] = rule({ match: 'type' });
  return Object.fromEntries(fields);
}

function listOf({ items }: Schema, values: readonly unknown[][], path: string, walk: Walk): unknown {
  if (values.some((value) => !Array.isArray(value))) return undefined;
  const rows = values.flat();
  // If the list is empty in every reply, the request finds nothing.
  if (rows.length === 0) return path === '$.data' ? [] : undefined;
  const isNeverEmpty = values.every((value) => value.length > 0);
  const row = isNeverEmpty && items ? shapeOf(items, rows, `${path}[*]`, walk) : undefined;
  if (row === undefined) return undefined;
  const isList = path === '$.data';
  walk.rules[path] = rule({ match: 'type', min: 1, ...(isList && walk.most !== undefined && { max: walk.most }) });
  return [row];
}

const examples: Readonly<Record<string, unknown>> = { integer: 1, number: 1.5, boolean: true, string: 'text' };
const moment = '2026-11-21T08:53:00.000Z';

function exampleOf(schema: Schema, type: string | undefined): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.example !== undefined) return schema.example;
  if (schema.enum) return schema.enum[0];
  if (schema.format === 'date-time') return moment;
  return schema.format === 'date' ? moment.slice(0, 10) : (examples[String(type)] ?? 'text');
}

const dateTime = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$';

/** The type or form of a field. A value only where the document fixes it: an enum without a gap, or what a filter asks for. */
function matcherOf(
  { const: only, enum: known = only === undefined ? undefined : [only], format }: Schema,
  type: string | undefined,
  { isOpen, fixed }: { isOpen: boolean; fixed: unknown },
): Record<string, unknown> {
  if (fixed instanceof RegExp) return { match: 'regex', regex: fixed.source };
  if (fixed !== undefined) return { match: 'equality' };
  if (known && !isOpen && known.length === 1) return { match: 'equality' };
  if (known && !isOpen) return { match: 'regex', regex: `^(${known.map((value) => literal(String(value))).join('|')})$` };
  if (format === 'date-time') return { match: 'regex', regex: dateTime };
  if (format === 'date') return { match: 'regex', regex: '^\\d{4}-\\d{2}-\\d{2}$' };
  return { match: ['integer', 'number', 'boolean'].includes(String(type)) ? type : 'type' };
}
