import type { ServiceName } from '../../contracts/documents/services.ts';
import type { Asked, Changed } from '../../contracts/gaps/is/is.ts';
import { isRecord } from '../../contracts/json.ts';
import { jsonSchema, type Schema } from '../../contracts/openapi/document.ts';
import { operationNamed, parametersOf } from '../../contracts/openapi/operations.ts';

/** Returns the request without the query parameters that its operation does not have. */
export const withoutUnknownQuery =
  (api: ServiceName) =>
  (asked: Asked): Changed => {
    const known = parametersOf(api, asked.operation);
    return known ? { query: Object.fromEntries(Object.entries(asked.query).filter(([name]) => known.includes(name))) } : {};
  };

/** Returns the request without the body fields that its operation does not have, at any depth. */
export const withoutUnknownFields =
  (api: ServiceName) =>
  (asked: Asked): Changed => {
    const schema = jsonSchema(operationNamed(api, asked.operation)?.requestBody);
    return schema && isRecord(asked.body) ? { body: known(asked.body, schema) } : {};
  };

function known(value: unknown, { properties, items }: Schema): unknown {
  if (Array.isArray(value) && items) return value.map((one) => known(one, items));
  if (!isRecord(value) || !properties) return value;
  const kept = Object.entries(value).flatMap(([name, held]) =>
    Object.hasOwn(properties, name) ? [[name, known(held, properties[name] as Schema)] as const] : [],
  );
  return Object.fromEntries(kept);
}
