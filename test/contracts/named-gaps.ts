import type { ServiceName } from '../../contracts/documents/services.ts';
import { isRecord, type Json } from '../../contracts/json.ts';
import { openApi } from '../../contracts/openapi/operations.ts';

interface Documented {
  paths: Record<string, Record<string, Json>>;
  webhooks: Record<string, { post: Json }>;
}

/** The ids in every `x-gap` of a part of an OpenAPI document, and of what it refers to. */
export function gapsIn(part: unknown, document: object): Set<string> {
  const ids = new Set<string>();
  const seen = new Set<unknown>();
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    const { 'x-gap': named = [], $ref } = value as { 'x-gap'?: string[]; $ref?: unknown };
    for (const id of named) ids.add(id);
    if (typeof $ref === 'string')
      look(
        $ref
          .slice(2)
          .split('/')
          .reduce<unknown>((held, step) => isRecord(held) && held[step], document),
      );
    for (const one of Object.values(value)) look(one);
  };
  look(part);
  return ids;
}

/** The entries that each operation and event of an API names, by its name in the document: `POST /sales`, `sale.completed`. */
export function namedGaps(api: ServiceName): Map<string, Set<string>> {
  const document = openApi[api] as unknown as Documented;
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path.replace(/^\/api(\/v1)?/, '')}`, operation] as const,
    ),
  );
  const events = Object.entries(document.webhooks).map(([type, { post }]) => [type, post] as const);
  return new Map([...operations, ...events].map(([name, part]) => [name, gapsIn(part, document)]));
}
