/** Traits: names for what can differ between a reply or webhook of a service and ours. */
import { standardHeaders } from '../../../spec/gaps/is/both.ts';
import { limitHeaders } from '../../../spec/gaps/is/changes.ts';
import { fieldsOf, isRecord, type JsonReply } from '../../../spec/json.ts';
import type { Schema } from '../../../spec/openapi/document.ts';

/**
 * Names of fields, such as `items[].price`. Traits beside them are in brackets, such as `(status 201)`. One with a value, such as
 * `(alert_state: under)`, counts only where it is seen.
 */
export type Names = ReadonlySet<string>;
export const isAround = (name: string): boolean => name.startsWith('(');
export const isValue = (name: string): boolean => isAround(name) && name.includes(': ');
/** A list is in the place of the record. */
export const list = '[]';
export const fieldsIn = (names: Iterable<string>): string[] => [...names].filter((name) => !isAround(name) && name !== list);
export const unionOf = (all: readonly Names[]): Names => all.reduce((union, names) => union.union(names), new Set<string>());

/** `unknown`: the beginnings of names about which the reply says nothing, such as the names of items in an empty list. */
export interface Seen {
  names: Names;
  unknown: readonly string[];
}

const mostLevels = 6;

/** The names of a record's fields, the words of its fields, and the forms of its times. `around`: further traits. */
export function traitsIn(record: unknown, around: readonly string[]): Seen {
  const [names, unknown] = [new Set(around.map((name) => `(${name})`)), new Set<string>()];
  const add = (name: string, held: unknown) => {
    if (held === undefined) return;
    names.add(name);
    if (held === null) unknown.add(`${name}.`).add(`${name}[`);
    else if (name.split('.').length < mostLevels) walk(held, name);
  };
  const walk = (held: unknown, path = '') => {
    if (Array.isArray(held)) add(`${path}[]`, held[0] ?? null);
    else if (isRecord(held)) for (const [name, one] of Object.entries(held)) add(path === '' ? name : `${path}.${name}`, one);
  };
  walk(record);
  return { names: names.union(new Set(valuesIn(record))), unknown: [...unknown] };
}

function valuesIn(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => valuesIn(one, `${path}[]`));
  if (isRecord(value)) return Object.entries(value).flatMap(([name, held]) => valuesIn(held, `${path}.${name}`));
  // The form of a time: its digits are zeros.
  if (value !== null && /(_at|[a-z]At)$/.test(path)) return [`(time: ${String(value).replace(/\d/g, '0')})`];
  return typeof value === 'string' && value !== anyText ? [`(${path.slice(1)}: ${value})`] : [];
}

/** A text of an example for which the document has no words. It says nothing about another text. */
const anyText = 'text';

export function replyTraits({ status, headers, body }: JsonReply): Seen {
  const { success: _, data, ...bare } = fieldsOf(body);
  const isWrapped = isRecord(body) && 'data' in body;
  const around = Object.keys(fieldsOf(body)).filter((name) => name === 'success' || isWrapped);
  const limit = limitHeaders.some((name) => name in headers) ? ['limit headers: RateLimit'] : [];
  const laravel = 'x-ratelimit-limit' in headers ? ['limit headers: X-RateLimit'] : [];
  const record = isWrapped ? data : isRecord(body) ? bare : body;
  return traitsIn(record, [`status ${status}`, cachingIn(headers), ...around, ...limit, ...laravel]);
}

function cachingIn({ 'cache-control': value = '' }: JsonReply['headers']): string {
  if (/\bno-store\b/i.test(value)) return 'cache-control no-store';
  if (/\bno-cache\b/i.test(value) && /\bprivate\b/i.test(value)) return 'cache-control no-cache, private';
  return value === '' ? 'no cache-control' : 'another cache-control';
}

export function challengeIn({ 'www-authenticate': value = '' }: JsonReply['headers']): string {
  if (/\berror=/i.test(value)) return 'www-authenticate with error';
  if (/^\s*bearer\s*$/i.test(value)) return 'www-authenticate Bearer';
  return value === '' ? 'no www-authenticate' : 'another www-authenticate';
}

/** The kind of a webhook's signature, and the case of its digits. `headers`: in lower case. */
export function signatureTraits(headers: Readonly<Record<string, unknown>>): string[] {
  const has = (pattern: RegExp) => Object.keys(headers).some((name) => pattern.test(name));
  const [, digits] = /^sha256=([0-9a-f]{64})$/i.exec(String(headers['x-service-signature'])) ?? [];
  const token = has(/token|secret|api-?key|authorization/) ? 'a token' : 'no signature';
  const kind = digits ? 'X-SERVICE-Signature' : has(/signature|hmac/) ? 'another signature' : token;
  const standard = standardHeaders.filter((name) => name in headers).length;
  const further = ['', ' and some of webhook-*', ' and some of webhook-*', ' and webhook-signature'][standard];
  const [isLower, isUpper] = [/[a-f]/, /[A-F]/].map((letters) => letters.test(digits ?? ''));
  return [`${kind}${further}`, ...(isLower === isUpper ? [] : [`digits: ${isLower ? 'lower' : 'upper'} case`])];
}

/** No field of the documents has more words. */
const mostWords = 6;
export const examplesOf = (schema: Schema | undefined): unknown[] =>
  Array.from({ length: mostWords }, (_, at) => exampleOf(schema, at));

/** Examples with the fields that are always there. `word`: which of those that a field can have. Of `empty`, lists are empty. */
export function exampleOf(schema: Schema = {}, word: number | 'empty' = 'empty'): unknown {
  const { anyOf: [first] = [], properties = {}, required = [], format, enum: words = [] } = schema;
  if (first) return exampleOf(first, word);
  const [type] = [schema.type].flat();
  if (type === 'object') return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name], word)]));
  if (type === 'array') return word === 'empty' ? [] : [exampleOf(schema.items, word)];
  const text = format === 'date-time' ? '2026-11-21T08:53:00.000Z' : anyText;
  return schema.const ?? words[Number(word) % words.length] ?? (type === 'string' ? text : word === 'empty' ? 0 : 1);
}
