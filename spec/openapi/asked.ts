import type { IncomingHttpHeaders } from 'node:http';
import type { ServiceName } from '../documents/services.ts';
import type { Asked } from '../gaps/is/is.ts';
import { jsonOr } from '../json.ts';
import { methodsAt } from './operations.ts';

/** Returns a request that was sent, as alternatives see it: with the first of several values. `url`: path and query. */
export function askedBy(api: ServiceName, method: string, url: string, headers: IncomingHttpHeaders, body: string): Asked {
  const { pathname: path, searchParams } = new URL(url.replace(/^\/\//, '/.//'), 'http://host');
  return {
    operation: `${method} ${operationPath(path)}`,
    path,
    methods: methodsAt(api, path),
    query: Object.fromEntries([...searchParams.keys()].map((name) => [name, searchParams.get(name) ?? ''])),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat()[0] ?? ''])),
    body: parsed(body),
  };
}

const operationPath = (path: string) =>
  path.replace(/^\/api(\/v1)?(?=\/)/, '').replace(/^(\/(?:financements|indicateurs))\/[^/]+$/, '$1/{id}');

/** Parses JSON; returns other text unchanged, and undefined for empty text. */
export const parsed = (text: string): unknown => (text === '' ? undefined : jsonOr(text, text));
