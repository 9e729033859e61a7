import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { type PactSource, textOf } from '../verification/sources.ts';

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
  const pact = pactShape.parse(JSON.parse(textOf(await readFile(file))));
  const of = (name: 'interactions' | 'messages') => pact[name].map((written) => ({ list: name, written }));
  return { metadata: pact.metadata, interactions: [...of('interactions'), ...of('messages')] };
}
