import type { ServiceName } from '../../documents/services.ts';
import { type Content, jsonSchema, type Schema } from '../../openapi/document.ts';
import { eventsOf, operationNamed } from '../../openapi/operations.ts';
import { isRecord } from '../json.ts';
import { choice, type Finding, other, shows } from './finding.ts';

/** The names of fields and parameters under our choice, as the OpenAPI documents have them. */

/** The schema of a record, or of each record of a list. `within`: the fields that lead to it. */
function recordIn(content: Content | undefined, within: readonly string[]): string[] {
  const found = within.reduce<Schema | undefined>((schema, name) => rowOf(schema)?.properties?.[name], jsonSchema(content));
  return Object.keys(rowOf(found)?.properties ?? {});
}

const rowOf = (schema: Schema | undefined) => schema?.items ?? schema;

/** The fields of the record in a successful reply, such as `('pos', 'GET /inventory', 'items')` for those of its items. */
export function fieldsOfReply(api: ServiceName, operation: string, ...within: string[]): string[] {
  const success = Object.entries(operationNamed(api, operation)?.responses ?? {}).find(([status]) => status.startsWith('2'));
  return recordIn(success?.[1], ['data', ...within]);
}

/** The fields of an event's payload. */
export const fieldsOfEvent = (api: ServiceName, event: string): string[] => recordIn(eventsOf(api)[event]?.requestBody, ['data']);

/** The fields of a request's body, or of the records in it. */
export const fieldsOfRequest = (api: ServiceName, operation: string, ...within: string[]): string[] =>
  recordIn(operationNamed(api, operation)?.requestBody, within);

export type Comparison = 'ours' | 'other-names' | 'fewer' | 'unlike';

/**
 * Compares a record's fields with those of our choice. `free`: fields whose absence another entry is about. Further fields are
 * allowed: the documents let every reply have them.
 */
export function compareFields(record: unknown, ours: readonly string[], free: readonly string[] = []): Comparison {
  if (!isRecord(record)) return 'unlike';
  const names = Object.keys(record);
  const has = ours.filter((name) => names.includes(name));
  const lacks = ours.filter((name) => !names.includes(name) && !free.includes(name));
  if (lacks.length === 0) return 'ours';
  const further = names.length - has.length;
  if (names.length === 0) return 'unlike';
  return further >= lacks.length || (has.length === 0 && further > 1) ? 'other-names' : 'fewer';
}

const because: Readonly<Record<Comparison, string>> = {
  ours: 'has all fields of our choice',
  'other-names': 'has fields of other names',
  fewer: 'lacks fields of our choice',
  unlike: 'is not a record with fields',
};

/** What the names of a record's fields say, if none of the gap's other alternatives explains it. `what`: such as `a sale`. */
export function named(
  gap: string,
  what: string,
  record: unknown,
  ours: readonly string[],
  free: readonly string[] = [],
): Finding[] {
  const compared = compareFields(record, ours, free);
  const way = compared === 'ours' ? choice : compared === 'other-names' ? 'other-names' : other;
  return shows(gap, way, `${what} ${because[compared]}`);
}
