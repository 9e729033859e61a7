import type { Asked } from '../../gaps/is/is.ts';
import { jsonOr } from '../../json.ts';
import type { PactRequest } from '../verification/pact-file.ts';

/** Returns a request as alternatives see it. */
export const askedBy = ({ method, path, query, headers, body }: PactRequest): Asked => ({
  operation: `${method} ${operationPath(path)}`,
  path,
  query: firsts(query),
  headers: lowerCase(firsts(headers)),
  body,
});

const firsts = (values: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(values).map(([name, [first = '']]) => [name, first]));

const lowerCase = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name.toLowerCase(), value]));

/** Returns the path below the base address, with `{id}` in place of an id. */
const operationPath = (path: string) =>
  path.replace(/^\/api(\/v1)?(?=\/)/, '').replace(/^(\/(?:financements|indicateurs))\/[^/]+$/, '$1/{id}');

/** Parses JSON; returns other text unchanged, and undefined for empty text. */
export const parsed = (text: string): unknown => (text === '' ? undefined : jsonOr(text, text));
