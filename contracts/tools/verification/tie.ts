import { z } from 'zod';
import type { Json } from '../../../spec/json.ts';

/**
 * Pact's verifier does not say which interaction a state, a request or a message belongs to. So each interaction gets one
 * state that is its id, in place of its own, and its request gets a header with that id.
 */
const stateName = (id: string) => `passerelle interaction ${id}`;

export const idOfState = (state: string): string | undefined => /^passerelle interaction (\d+)$/.exec(state)?.[1];

export const idHeader = 'x-passerelle-interaction';

const json = z.record(z.string(), z.unknown());
const pactJson = z.looseObject({ interactions: z.array(json).optional(), messages: z.array(json).optional() });

/** Parses JSON. Numbers keep their text when they are written again: for Pact, 4500.0 is another number than 4500. */
export function parseExactly(text: string): unknown {
  const keep: Reviver = (_, value, { source }) => (typeof value === 'number' ? exact.rawJSON(source) : value);
  return exact.parse(text, keep);
}

// Node has these since version 22, but TypeScript's types do not.
type Reviver = (key: string, value: unknown, context: { source: string }) => unknown;
const exact = JSON as unknown as {
  parse(text: string, reviver: Reviver): unknown;
  rawJSON(text: string): unknown;
};

/**
 * Returns a pact, as `parseExactly` read it, with its interactions tied to these ids, in the same order. Leaves out interactions
 * without an id.
 */
export function tie(pact: unknown, ids: readonly (string | undefined)[]): Json {
  const { interactions, messages, ...rest } = pactJson.parse(pact);
  const tied = (list: Json[], from = 0) =>
    list.flatMap((one, index) => {
      const id = ids[from + index];
      return id === undefined ? [] : [tieOne(one, id)];
    });
  return {
    ...rest,
    ...(interactions && { interactions: tied(interactions) }),
    ...(messages && { messages: tied(messages, interactions?.length) }),
  };
}

function tieOne({ providerState, provider_state: older, request, ...rest }: Json, id: string): Json {
  const tied = { ...rest, providerStates: [{ name: stateName(id) }] };
  const sent = json.safeParse(request).data;
  return sent === undefined
    ? tied
    : { ...tied, request: { ...sent, headers: { ...(sent.headers as Json | null), [idHeader]: id } } };
}

/** Returns one pact for each list that has interactions, because Pact's verifier reads only one list of a file. */
export function oneListEach({ interactions = [], messages = [], ...rest }: Json): Json[] {
  const filled = Object.entries({ interactions, messages }).filter(([, list]) => (list as unknown[]).length > 0);
  return filled.map(([name, list]) => ({ ...rest, [name]: list }));
}
