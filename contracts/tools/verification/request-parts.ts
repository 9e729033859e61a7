import { isRecord, jsonOr } from '../../../spec/json.ts';
import { jsonSchema, type Operation, type Schema } from '../../../spec/openapi/document.ts';
import { type Step, schemasAlong } from './json-path.ts';
import type { PartRule } from './places.ts';

/** A request as it was sent: the query without `?`, and header names in any case. */
export interface Sent {
  query: string;
  headers: Record<string, string>;
  body: string;
}

/** A parameter or body field of a request, such as `store_id` or `items.0.price`. */
export interface Part {
  name: string;
  is: 'unknown' | 'absent' | 'sent';
  value?: unknown;
}

interface Operated {
  /** `POST /api/v1/sales`. */
  name: string;
  operation: Operation;
}

const json = (text: string) => jsonOr(text, undefined);

export const isMalformed = ({ body }: Sent): boolean => body !== '' && json(body) === undefined;

export const hasBearer = ({ headers }: Sent): boolean =>
  Object.entries(headers).some(([name, value]) => name.toLowerCase() === 'authorization' && /^Bearer /i.test(value));

/** Returns the names of fields that the body of a refusal gives: `details[].field`, or the keys of `errors`. */
function namedBy(reply: unknown): string[] {
  if (Array.isArray(reply)) return reply.flatMap(namedBy);
  if (!isRecord(reply)) return [];
  return Object.entries(reply).flatMap(([name, value]) => {
    if (name === 'errors' && isRecord(value)) return Object.keys(value);
    return name === 'field' && typeof value === 'string' ? [value] : namedBy(value);
  });
}

const stepsIn = (name: string): Step[] => name.split('.').map((step) => (/^\d+$/.test(step) ? null : step));

const valueAt = (body: unknown, name: string): unknown =>
  name
    .split('.')
    .reduce<unknown>(
      (value, step) => (typeof value === 'object' ? (value as Record<string, unknown> | null)?.[step] : undefined),
      body,
    );

const queryOf = ({ parameters = [] }: Operation) => parameters.filter((parameter) => parameter.in === 'query');
const bodyOf = (operation: Operation): Schema | undefined => jsonSchema(operation.requestBody);

/**
 * Returns the schemas of a parameter or field, undefined if the operation has none of this name. A question about the list in which a
 * field stands says nothing about the field. An element of a list is what the list is about.
 */
function schemasOf(operation: Operation, name: string): { 'x-gap'?: string[]; enum?: unknown[] }[] | undefined {
  const parameter = operation.parameters?.find((one) => one.name === name);
  if (parameter) return [parameter, ...(parameter.schema ? [parameter.schema] : [])];
  const body = bodyOf(operation);
  const steps = stepsIn(name);
  const along = body ? schemasAlong(body, steps) : [];
  if (along.length !== steps.length + 1) return undefined;
  return steps.at(-1) === null ? along.slice(0, 2) : along.slice(0, 1);
}

function partOf(operation: Operation, sent: Sent, name: string): Part {
  // A path parameter is part of the address, so every request has it.
  if (operation.parameters?.some((parameter) => parameter.in === 'path' && parameter.name === name)) return { name, is: 'sent' };
  const value = new URLSearchParams(sent.query).get(name) ?? valueAt(json(sent.body), name);
  if (schemasOf(operation, name) === undefined) return { name, is: 'unknown' };
  return value === undefined || value === null ? { name, is: 'absent' } : { name, is: 'sent', value };
}

/** Returns the parts of a request: those that the operation does not have, those that it was not sent, and the others. */
function partsOf(operation: Operation, sent: Sent): Part[] {
  const body = json(sent.body);
  const written = [...new URLSearchParams(sent.query).keys(), ...(isRecord(body) ? Object.keys(body) : [])];
  const fields = isRecord(body) ? Object.keys(bodyOf(operation)?.properties ?? {}) : [];
  const names = new Set([...written, ...queryOf(operation).map(({ name }) => name), ...fields]);
  const order: Part['is'][] = ['unknown', 'sent', 'absent'];
  return [...names]
    .map((name) => partOf(operation, sent, name))
    .sort((one, two) => order.indexOf(one.is) - order.indexOf(two.is));
}

const fits = (rule: PartRule, { name: of }: Operated, { name, is, value }: Part) =>
  rule.when === is && (rule.of?.test(of) ?? true) && rule.name.test(name) && (rule.value?.test(String(value)) ?? true);

/** Gaps about the body as a whole, which say nothing about the value of one of its fields. */
const aboutOtherParts = /-required$|\.strict-/;

function gapOfPart(
  provider: string,
  found: Operated,
  part: Part,
  rules: readonly PartRule[],
  isNamed: boolean,
): string | undefined {
  if (part.is === 'unknown') return `${provider}.strict-${queryOnly(found.operation) ? 'queries' : 'bodies'}`;
  const rule = rules.find((one) => fits(one, found, part));
  if (rule || part.is === 'absent') return rule?.gap;
  const schemas = schemasOf(found.operation, part.name) ?? [];
  const isOutside = schemas.some((schema) => schema.enum !== undefined && !schema.enum.includes(part.value));
  return isNamed || isOutside
    ? schemas.flatMap((schema) => schema['x-gap'] ?? []).find((id) => !aboutOtherParts.test(id))
    : undefined;
}

const queryOnly = (operation: Operation) => operation.requestBody === undefined;

/**
 * Returns the gap of the part of a request for which it was refused, or for which the pact expects a refusal. A part that the
 * refusal names comes first, then parts that the document does not have or leaves open.
 */
export function gapOfRequest(
  provider: string,
  found: Operated,
  { sent, refusal, rules }: { sent: Sent; refusal: string; rules: readonly PartRule[] },
): string | undefined {
  const named = namedBy(json(refusal)).map((name) => partOf(found.operation, sent, name));
  const gaps = named.map((part) => gapOfPart(provider, found, part, rules, true));
  const others =
    named.length > 0 ? [] : partsOf(found.operation, sent).map((part) => gapOfPart(provider, found, part, rules, false));
  return [...gaps, ...others].find((gap) => gap !== undefined);
}
