import type { ServiceName } from '../../spec/documents/services.ts';
import { eventsOf, operationsOf } from '../../spec/openapi/operations.ts';

/** The ids in every `x-gap` of a part of an OpenAPI document. */
function gapsIn(part: object): Set<string> {
  const ids: string[] = [];
  JSON.stringify(part, (name, value) => {
    if (name === 'x-gap') ids.push(...value);
    return value;
  });
  return new Set(ids);
}

/** The entries that each operation and event of an API names, by its name in the document: `POST /sales`, `sale.completed`. */
export function namedGaps(api: ServiceName): Map<string, Set<string>> {
  const operations = operationsOf(api).map(
    ({ method, path, operation }) => [`${method} ${path.replace(/^\/api(\/v1)?/, '')}`, operation] as const,
  );
  return new Map([...operations, ...Object.entries(eventsOf(api))].map(([name, part]) => [name, gapsIn(part)]));
}
