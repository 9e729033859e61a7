import { z } from 'zod';
import { jsonOr } from '../json.ts';
import type { ProviderState } from '../states/state.ts';
import type { PactRequest } from '../verification/pact-file.ts';
import type { Asked } from './alternative.ts';
import type { Written } from './written.ts';

const generated = z.looseObject({ request: z.looseObject({ generators: z.looseObject({ body: z.looseObject({}) }) }) });

/** Returns the request of an interaction, from its example. */
export function askedBy(request: PactRequest, states: readonly ProviderState[], written: Written = {}): Asked {
  const { method, path, query, headers, body } = request;
  const fromStates = generated.safeParse(written).data?.request.generators.body ?? {};
  return {
    operation: `${method} ${operationPath(path)}`,
    path,
    query: firsts(query),
    headers: lowerCase(firsts(headers)),
    body,
    states,
    fromStates: Object.keys(fromStates),
  };
}

const firsts = (values: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(values).map(([name, [first = '']]) => [name, first]));

const lowerCase = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name.toLowerCase(), value]));

/** Returns the path below the base address, with `{id}` in place of an id. */
const operationPath = (path: string) =>
  path.replace(/^\/api(\/v1)?(?=\/)/, '').replace(/^(\/(?:financements|indicateurs))\/[^/]+$/, '$1/{id}');

/** Parses JSON; returns other text unchanged, and undefined for empty text. */
export const parsed = (text: string): unknown => (text === '' ? undefined : jsonOr(text, text));
