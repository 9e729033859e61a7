import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { ProviderState } from '../verification/result.ts';
import type { PactSource } from '../verification/sources.ts';
import type { Asked } from './alternative.ts';

/** What a pact writes of one interaction, as it is in the file. */
export type Written = Record<string, unknown>;

const values = z.union([z.string(), z.array(z.unknown())]).transform((value) => String([value].flat()[0] ?? ''));
const named = z.record(z.string(), values);
const query = z.union([named, z.string().transform((text) => Object.fromEntries(new URLSearchParams(text)))]);
const requestShape = z.looseObject({
  method: z.string().default('GET'),
  path: z.string().default('/'),
  query: query.nullish(),
  headers: named.nullish(),
  body: z.unknown().optional(),
  generators: z.looseObject({ body: z.record(z.string(), z.unknown()).optional() }).nullish(),
});
const contentShape = z.looseObject({ content: z.unknown().optional() });
const pactShape = z.looseObject({
  interactions: z.array(z.record(z.string(), z.unknown())).default([]),
  messages: z.array(z.record(z.string(), z.unknown())).default([]),
  metadata: z.unknown().optional(),
});

export interface WrittenPact {
  metadata: unknown;
  /** In the order of the source's: first `interactions`, then `messages` of older pacts. */
  interactions: (Written & { list: 'interactions' | 'messages' })[];
}

/** Reads a pact's interactions as they are written. */
export async function readWritten({ file }: PactSource): Promise<WrittenPact> {
  const { interactions, messages, metadata } = pactShape.parse(JSON.parse(await readFile(file, 'utf8')));
  return {
    metadata,
    interactions: [
      ...interactions.map((one) => ({ ...one, list: 'interactions' as const })),
      ...messages.map((one) => ({ ...one, list: 'messages' as const })),
    ],
  };
}

/** What the interaction asks, by its example request. */
export function askedBy(written: Written, states: readonly ProviderState[]): Asked {
  const request = requestShape.parse(written.request ?? {});
  const { method, path } = request;
  return {
    operation: `${method.toUpperCase()} ${operationPath(path)}`,
    path,
    query: request.query ?? {},
    headers: Object.fromEntries(Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])),
    body: parsed(contentOf(request.body)),
    states,
    fromStates: Object.keys(request.generators?.body ?? {}),
  };
}

/** From the base address, with `{id}` where an id stands. */
const operationPath = (path: string) =>
  path.replace(/^\/api(\/v1)?(?=\/)/, '').replace(/^(\/(?:financements|indicateurs))\/[^/]+$/, '$1/{id}');

/** Version 4 of the format puts bodies under `content`, earlier ones do not. */
function contentOf(body: unknown): unknown {
  const content = contentShape.safeParse(body);
  return content.success && 'content' in content.data ? content.data.content : body;
}

/** JSON as its value; other text as it is; nothing where there is none. */
export function parsed(text: unknown): unknown {
  if (typeof text !== 'string') return text;
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
