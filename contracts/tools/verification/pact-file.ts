import { z } from 'zod';
import { setZodMessages } from '../../../gateway/http/messages.ts';
import { jsonOr } from '../../../spec/json.ts';
import { CouldNotRun } from '../could-not-run.ts';
import type { ProviderState } from '../states/state.ts';

/** A pact file of any version, in one shape. */
export interface PactFile {
  /** The file name or URL that it was read from. */
  source: string;
  consumer: string;
  provider: string;
  /** Version of the Pact specification: `2.0.0`, `3.0.0`, `4.0`. */
  version: string;
  interactions: PactInteraction[];
}

interface Interaction {
  /** The id that a broker gave it. */
  id: string | undefined;
  description: string;
  states: ProviderState[];
  pending: boolean;
  /** Gap ids that the interaction names in its references of the group `gap` (Pact V4). */
  restsOn: string[];
  /** Ids of documented behaviours that it names in its references of the group `behaviour` (Pact V4). */
  holds: string[];
  /** Names of the states' values that its generators fill in (from version 3 on). */
  stateValues: string[];
  /** Its place in the file: `interactions[0]` or `messages[2]`. */
  place: string;
}

export interface PactRequest {
  method: string;
  path: string;
  query: Record<string, string[]>;
  headers: Record<string, string[]>;
  /** Parsed JSON, or text; undefined if there is no body. */
  body: unknown;
}

interface PactReply {
  status: number;
  /** What a status matcher accepts beside `status` (Pact V4): a class such as `success`, or a list. */
  accepts?: StatusClass | number[] | undefined;
  headers: Record<string, string[]>;
  body: unknown;
}

export interface HttpInteraction extends Interaction {
  kind: 'http';
  request: PactRequest;
  reply: PactReply;
}

export interface MessageInteraction extends Interaction {
  kind: 'message';
  content: unknown;
  metadata: Record<string, unknown>;
}

export type PactInteraction = HttpInteraction | MessageInteraction;

/** A file is not a valid pact. The message names the file, the place and the problem. */
export class PactFileError extends CouldNotRun {
  override name = 'PactFileError';
}

const strings = z.union([z.string().transform((text) => [text]), z.array(z.string())]);
const headers = z
  .record(z.string(), strings)
  .nullish()
  .transform((value) => value ?? {});
const query = z
  .union([z.string().transform(queryOf), z.record(z.string(), strings)])
  .nullish()
  .transform((value) => value ?? {});
const state = z.object({
  name: z.string(),
  params: z
    .record(z.string(), z.unknown())
    .nullish()
    .transform((params) => params ?? {}),
});
const references = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((found) => Object.keys(found ?? {}));
const named = z.object({ name: z.string().min(1) });
const about = {
  _id: z.string().optional().catch(undefined),
  description: z.string(),
  providerStates: z.array(state).nullish(),
  providerState: z.string().nullish(),
  provider_state: z.string().nullish(),
  pending: z.boolean().nullish(),
  comments: z.looseObject({ references: z.looseObject({ gap: references, behaviour: references }).nullish() }).nullish(),
};
const status = z.int().min(100).max(599);

/** The classes of Pact's status matchers, with their first and last statuses. */
const statusClasses = {
  info: [100, 199],
  success: [200, 299],
  redirect: [300, 399],
  clientError: [400, 499],
  serverError: [500, 599],
  nonError: [100, 399],
  error: [400, 599],
} as const;
type StatusClass = keyof typeof statusClasses;

const statusMatcher = z.object({
  match: z.literal('statusCode'),
  status: z.union([z.enum(Object.keys(statusClasses) as StatusClass[]), z.array(z.int())]),
});
const statusRules = z.looseObject({ status: z.unknown() }).optional().catch(undefined);

/** Returns what the matcher of a reply's status accepts. Writers differ in where they put it, so it is looked for at any depth. */
function acceptedIn(rules: unknown): PactReply['accepts'] {
  if (typeof rules !== 'object' || rules === null) return undefined;
  const { data } = statusMatcher.safeParse(rules);
  return (
    data?.status ??
    Object.values(rules)
      .map(acceptedIn)
      .find((found) => found !== undefined)
  );
}

/** Returns true if a reply with this status fits the pact. */
export function acceptsStatus({ status, accepts = [status] }: PactReply, actual: number): boolean {
  if (typeof accepts !== 'string') return accepts.includes(actual);
  const [first, last] = statusClasses[accepts];
  return first <= actual && actual <= last;
}
const http = z.object({
  ...about,
  request: z.object({
    method: z.string().min(1),
    path: z.string().startsWith('/'),
    query,
    headers,
    body: z.unknown().optional(),
  }),
  response: z.object({ status: status.default(200), headers, body: z.unknown().optional(), matchingRules: statusRules }),
});
const metadata = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((value) => value ?? {});
const message = z.object({ ...about, contents: z.unknown().optional(), metaData: metadata, metadata });
const file = z.object({
  consumer: named,
  provider: named,
  interactions: z.array(z.looseObject({ type: z.string().optional() })).optional(),
  messages: z.array(z.looseObject({})).optional(),
  metadata: z.looseObject({}).optional(),
});

const version = z.union([
  z.object({ pactSpecification: z.object({ version: z.string() }) }).transform((found) => found.pactSpecification.version),
  z.object({ 'pact-specification': z.object({ version: z.string() }) }).transform((found) => found['pact-specification'].version),
  z.object({ pactSpecificationVersion: z.string() }).transform((found) => found.pactSpecificationVersion),
]);

/** Returns the values of each name in a query string. A name may be any text, also that of a property of every object. */
export function queryOf(text: string): Record<string, string[]> {
  const names = Map.groupBy(new URLSearchParams(text), ([name]) => name);
  return Object.fromEntries([...names].map(([name, pairs]) => [name, pairs.map(([, value]) => value)]));
}

/** `interactions[2].request.method`. */
const placeOf = (path: readonly PropertyKey[]): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');

function check<Output>(schema: z.ZodType<Output>, value: unknown, source: string, at: PropertyKey[] = []): Output {
  setZodMessages();
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = placeOf([...at, ...(issue?.path ?? [])]);
  const where = place === '' ? source : `${source}, ${place}`;
  throw new PactFileError(`${where}: ${issue?.message ?? 'not valid'}. Expected a Pact file of version 2, 3 or 4.`);
}

const contentV4 = z.object({
  content: z.unknown().optional(),
  contentType: z.string().nullish(),
  encoded: z.union([z.string(), z.boolean()]).nullish(),
});

/** Unwraps a body: version 4 stores it with content type and encoding, earlier versions store it directly. */
function unwrap(body: unknown, isVersion4: boolean): unknown {
  const wrapped = isVersion4 ? contentV4.safeParse(body) : undefined;
  if (wrapped === undefined || !wrapped.success || body === null) return body ?? undefined;
  const { content, encoded } = wrapped.data;
  if (typeof content !== 'string' || encoded === false || encoded === undefined || encoded === null) return content;
  const text = String(encoded).toLowerCase() === 'base64' ? Buffer.from(content, 'base64').toString('utf8') : content;
  return jsonOr(text, text);
}

function statesOf(of: z.infer<typeof message> | z.infer<typeof http>): ProviderState[] {
  const single = of.providerState ?? of.provider_state;
  return of.providerStates ?? (single ? [{ name: single, params: {} }] : []);
}

/** Returns the fields that both kinds of interactions share. */
const aboutOf = (of: z.infer<typeof message> | z.infer<typeof http>, { value, at }: Raw): Interaction => ({
  id: of._id,
  description: of.description,
  states: statesOf(of),
  pending: of.pending ?? false,
  restsOn: of.comments?.references?.gap ?? [],
  holds: of.comments?.references?.behaviour ?? [],
  stateValues: stateValuesIn(generated.parse(value)),
  place: placeOf(at),
});

const generators = z.looseObject({ generators: z.unknown().optional() }).nullish().catch(undefined);
/** The places of an interaction that have generators. */
const generated = z
  .looseObject({ generators: z.unknown().optional(), request: generators, response: generators })
  .transform((found) => [found.generators, found.request?.generators, found.response?.generators]);
const fromState = z.object({ type: z.literal('ProviderState'), expression: z.string() });

/** Returns the names in the expressions of generators, such as `store_id` in `/stores/${store_id}`, or in `store_id` alone. */
function stateValuesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { data } = fromState.safeParse(value);
  if (data === undefined) return Object.values(value).flatMap(stateValuesIn);
  const names = [...data.expression.matchAll(/\$\{([^}]*)\}/g)].map(([, name = '']) => name);
  return names.length > 0 ? names : [data.expression];
}

/** The parser of each interaction type of version 4. Earlier versions have no type: their `interactions` are HTTP. */
const kinds: Readonly<Record<string, 'http' | 'message'>> = {
  'synchronous/http': 'http',
  'asynchronous/messages': 'message',
};

interface Raw {
  source: string;
  isVersion4: boolean;
  value: unknown;
  at: PropertyKey[];
}

function httpOf(raw: Raw): HttpInteraction {
  const { source, isVersion4, value, at } = raw;
  const found = check(http, value, source, at);
  const { request } = found;
  const { matchingRules, ...response } = found.response;
  return {
    ...aboutOf(found, raw),
    kind: 'http',
    request: { ...request, method: request.method.toUpperCase(), body: unwrap(request.body, isVersion4) },
    reply: { ...response, accepts: acceptedIn(matchingRules?.status), body: unwrap(response.body, isVersion4) },
  };
}

function messageOf(raw: Raw): MessageInteraction {
  const { source, isVersion4, value, at } = raw;
  const found = check(message, value, source, at);
  return {
    ...aboutOf(found, raw),
    kind: 'message',
    content: unwrap(found.contents, isVersion4),
    metadata: { ...found.metaData, ...found.metadata },
  };
}

function interactionOf(raw: Raw, type: string | undefined): PactInteraction {
  const kind = type === undefined ? 'http' : kinds[type.toLowerCase()];
  if (kind === undefined) {
    const known = 'Synchronous/HTTP and Asynchronous/Messages are';
    throw new PactFileError(`${raw.source}, ${placeOf([...raw.at, 'type'])}: "${type}" is not supported; ${known}.`);
  }
  return kind === 'http' ? httpOf(raw) : messageOf(raw);
}

/** Converts the JSON of a pact file of version 2, 3 or 4; ignores unknown fields. Throws `PactFileError`. */
export function parsePact(value: unknown, source: string): PactFile {
  const found = check(file, value, source);
  const { consumer, provider, interactions = [], messages = [] } = found;
  if (found.interactions === undefined && found.messages === undefined) {
    throw new PactFileError(`${source} is not a Pact file: it has neither interactions nor messages.`);
  }
  const specified = version.safeParse(found.metadata);
  const isVersion4 = specified.success && Number.parseInt(specified.data, 10) >= 4;
  const raw = (list: string) => (one: unknown, index: number) => ({ source, isVersion4, value: one, at: [list, index] });
  return {
    source,
    consumer: consumer.name,
    provider: provider.name,
    version: specified.success ? specified.data : '2.0.0',
    interactions: [
      ...interactions.map((one, index) => interactionOf(raw('interactions')(one, index), one.type)),
      ...messages.map((one, index) => messageOf(raw('messages')(one, index))),
    ],
  };
}

/** Parses the text of a pact file. Throws `PactFileError`. */
export function readPact(text: string, source: string): PactFile {
  let value: unknown;
  try {
    value = JSON.parse(text, (key, inner) => {
      // Pact's verifier refuses the whole file, without the place.
      if (typeof inner === 'number' && !Number.isFinite(inner)) throw new Error(`the number of "${key}" is too large`);
      return inner;
    });
  } catch (error) {
    throw new PactFileError(`${source} is not valid JSON: ${(error as Error).message}`);
  }
  return parsePact(value, source);
}

/** Returns a message's event type, from its content or metadata, if it is one of `types`. */
export function eventTypeOf({ content, metadata }: MessageInteraction): string | undefined {
  const inContent = z.object({ event: z.string() }).safeParse(content);
  const found = inContent.success ? inContent.data.event : (metadata.event ?? metadata.eventType ?? metadata.type);
  return typeof found === 'string' ? found : undefined;
}
