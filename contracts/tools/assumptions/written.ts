import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { ProviderState } from '../states/state.ts';
import type { PactRequest } from '../verification/pact-file.ts';
import type { PactSource } from '../verification/sources.ts';
import type { Asked } from './alternative.ts';

/** The JSON of one interaction in a pact file, with its matching rules. */
export type Written = Record<string, unknown>;

/** The JSON of a pact file. */
export interface WrittenPact {
  metadata: unknown;
  /** In the file's order: first `interactions`, then `messages` of older pacts. */
  interactions: { list: 'interactions' | 'messages'; written: Written }[];
}

const list = z.array(z.record(z.string(), z.unknown())).default([]);
const pactShape = z.looseObject({ interactions: list, messages: list, metadata: z.unknown().optional() });

/** Reads the JSON of a pact's interactions. */
export async function readWritten({ file }: PactSource): Promise<WrittenPact> {
  const text = await readFile(file, 'utf8');
  const pact = pactShape.parse(JSON.parse(text.replace(/^\uFEFF/, '')));
  const of = (name: 'interactions' | 'messages') => pact[name].map((written) => ({ list: name, written }));
  return { metadata: pact.metadata, interactions: [...of('interactions'), ...of('messages')] };
}

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
export function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
