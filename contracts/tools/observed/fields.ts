import type { ServiceName } from '../../documents/services.ts';
import { findGap } from '../../gaps/gaps.ts';
import { fieldsOf, isRecord } from '../../json.ts';
import { type Content, jsonSchema, type Schema } from '../../openapi/document.ts';
import { eventsOf, operationNamed } from '../../openapi/operations.ts';
import { choice, other } from './finding.ts';

/** What our choice is, as the OpenAPI documents have it, and the names of fields compared with it. */

/** The schema of a record, or of each record of a list. `within`: the fields that lead to it. */
function recordIn(content: Content | undefined, within: readonly string[]): string[] {
  const found = within.reduce<Schema | undefined>((schema, name) => rowOf(schema)?.properties?.[name], jsonSchema(content));
  return Object.keys(rowOf(found)?.properties ?? {});
}

const rowOf = (schema: Schema | undefined) => schema?.items ?? schema;

/** The status and the body of a successful reply. */
export const successOf = (api: ServiceName, operation: string): [status?: string, content?: Content] =>
  Object.entries(operationNamed(api, operation)?.responses ?? {}).find(([status]) => status.startsWith('2')) ?? [];

/** The fields of the record in a successful reply, such as `('pos', 'GET /inventory', 'items')` for those of its items. */
export const fieldsOfReply = (api: ServiceName, operation: string, ...within: string[]): string[] =>
  recordIn(successOf(api, operation)[1], ['data', ...within]);

/** The fields of an event's payload. */
export const fieldsOfEvent = (api: ServiceName, event: string): string[] => recordIn(eventsOf(api)[event]?.requestBody, ['data']);

/** The fields of a request's body, or of the records in it. */
export const fieldsOfRequest = (api: ServiceName, operation: string, ...within: string[]): string[] =>
  recordIn(operationNamed(api, operation)?.requestBody, within);

/** The ids of a gap's alternatives. */
export const waysOf = (gap: string): string[] => (findGap(gap)?.alternatives ?? []).map(({ id }) => id);

/**
 * Compares a record's fields with those of our choice. `free`: fields whose absence another entry is about. Further fields are
 * allowed: the documents let every reply have them.
 */
function compareFields(record: unknown, ours: readonly string[], free: readonly string[]): 'ours' | 'other' | 'fewer' | 'unlike' {
  if (!isRecord(record)) return 'unlike';
  const names = Object.keys(record);
  const has = ours.filter((name) => names.includes(name));
  const lacks = ours.filter((name) => !names.includes(name) && !free.includes(name));
  if (lacks.length === 0) return 'ours';
  const further = names.length - has.length;
  if (names.length === 0) return 'unlike';
  return further >= lacks.length || (has.length === 0 && further > 1) ? 'other' : 'fewer';
}

export const isOurs = (record: unknown, ours: readonly string[], free: readonly string[] = []): boolean =>
  compareFields(record, ours, free) === 'ours';

/** What the names of a record's fields say, if none of the gap's other alternatives explains it. `what`: such as `a sale`. */
export function named(what: string, record: unknown, ours: readonly string[], free: readonly string[] = []) {
  const compared = compareFields(record, ours, free);
  if (compared === 'ours') return [choice, `${what} has all fields of our choice`] as const;
  if (compared === 'other') return ['other-names', `${what} has fields of other names`] as const;
  return [other, `${what} ${compared === 'fewer' ? 'lacks fields of our choice' : 'is not a record with fields'}`] as const;
}

/** True for a record with a field of such a name. */
export const hasLike = (record: unknown, pattern: RegExp): boolean =>
  Object.keys(fieldsOf(record)).some((name) => pattern.test(name));

/** True if any field of this name is in the value. */
export function hasField(value: unknown, name: string): boolean {
  if (Array.isArray(value)) return value.some((one) => hasField(one, name));
  return isRecord(value) && (name in value || Object.values(value).some((one) => hasField(one, name)));
}
