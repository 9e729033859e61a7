import type { ServiceName } from '../../../spec/documents/services.ts';
import { findGap } from '../../../spec/gaps/gaps.ts';
import { jsonOr } from '../../../spec/json.ts';
import { jsonSchema, type Schema } from '../../../spec/openapi/document.ts';
import type { ProviderState } from '../states/state.ts';
import { cohesionRecreations } from './cohesion.ts';
import { messagesOf } from './messages.ts';
import { posRecreations } from './pos.ts';
import type { RecordedCall, Recording } from './recorded.ts';
import { type Promised, promisedReply } from './reply.ts';
import { type Facts, factsOf, LeftOut, type Recreated, type Scene, sceneOf } from './scene.ts';

/** An interaction of a version 4 pact. */
export interface WrittenInteraction {
  type: 'Synchronous/HTTP' | 'Asynchronous/Messages';
  description: string;
  providerStates?: ProviderState[];
  /** Why the interaction depends on each gap, by gap id. */
  comments?: { references: { gap: Record<string, string> } };
  [part: string]: unknown;
}

/** A version 4 pact, as its file has it. */
export interface WrittenPact {
  consumer: { name: string };
  provider: { name: string };
  interactions: WrittenInteraction[];
  metadata: { pactSpecification: { version: '4.0' } };
}

export interface PactOptions {
  consumer: string;
  /** The provider's name in the pact. */
  provider: string;
  /** Also promise what the documents do not show: every field that the provider has, and exact statuses. */
  promiseAll: boolean;
}

export interface PactOf {
  pact: WrittenPact;
  leftOut: { call: RecordedCall; reason: string }[];
  /** The webhooks that are not in the pact. */
  leftOutWebhooks: { description: string; reason: string }[];
}

const recreations: Readonly<Record<ServiceName, Readonly<Record<string, (scene: Scene) => Recreated>>>> = {
  pos: posRecreations,
  cohesion: cohesionRecreations,
};

/**
 * Returns the pact that a recording shows: one interaction for each kind of request and reply, and one for each event that was
 * accepted. It does not depend on the order of the calls, nor on ids, dates, tokens and other values of the run.
 */
export function pactOf({ service, calls, deliveries }: Recording, { consumer, provider, promiseAll }: PactOptions): PactOf {
  const facts = factsOf(service, calls);
  const kinds: Kind[] = [];
  const leftOut: PactOf['leftOut'] = [];
  for (const call of calls) {
    const kind = kindOf(service, call, facts);
    if ('reason' in kind) leftOut.push({ call, reason: kind.reason });
    else kinds.push(kind);
  }
  leftOut.push(...repeatsIn(kinds).map((call) => ({ call, reason: 'it repeats another call with the same Idempotency-Key' })));
  const interactions = [...Map.groupBy(kinds, ({ key }) => key)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, same]) => interactionOf(service, same, promiseAll));
  const messages = messagesOf(service, deliveries, { promiseAll });
  return {
    pact: {
      consumer: { name: consumer },
      provider: { name: provider },
      interactions: named([...interactions, ...messages.interactions]),
      metadata: { pactSpecification: { version: '4.0' } },
    },
    leftOut,
    leftOutWebhooks: messages.leftOut,
  };
}

/**
 * Calls that got the reply of an earlier call, because they have its Idempotency-Key. They belong to the interaction of the
 * earlier call.
 */
function repeatsIn(kinds: readonly Kind[]): RecordedCall[] {
  const keyed = kinds.filter(({ recreated, scene }) => recreated.sample.headers['Idempotency-Key'] && scene.call.status < 300);
  const same = Map.groupBy(keyed, ({ scene: { call, authorization } }) =>
    JSON.stringify([call.url, call.requestHeaders['idempotency-key'], call.requestBody, call.status, authorization]),
  );
  return [...same.values()].flatMap(([, ...repeats]) => repeats.map(({ scene }) => scene.call));
}

/** A call, and what makes it the same interaction as another one. */
interface Kind {
  key: string;
  description: string;
  recreated: Recreated;
  scene: Scene;
}

function kindOf(service: ServiceName, call: RecordedCall, facts: Facts): Kind | { reason: string } {
  try {
    const scene = sceneOf(service, call, facts);
    const recreate = recreations[service][scene.operation];
    if (recreate === undefined) throw new LeftOut('no state recreates this operation');
    const recreated = recreate(scene);
    const description = describe(scene, recreated);
    const key = JSON.stringify([description, recreated.sample, recreated.states, recreated.from, call.status]);
    return { key, description, recreated, scene };
  } catch (error) {
    if (error instanceof LeftOut) return { reason: error.message };
    throw error;
  }
}

/** `create a sale with payment_method cash, in an unknown store, refused with 404`. */
function describe({ found, words, call }: Scene, recreated: Recreated): string {
  const { summary = `${found.method} ${found.path}` } = found.operation;
  const about = `${summary.slice(0, 1).toLowerCase()}${summary.slice(1)}`;
  const unusual = [...new Set(words.map(short))];
  const listed = unusual.length === 0 ? '' : ` with ${new Intl.ListFormat('en-GB').format(unusual)}`;
  // Not `token: refused`: reports would hide what stands behind the name of a secret.
  const situation = recreated.words.map((word) => `, ${word}`).join('');
  return `${about}${listed}${situation}${call.status >= 400 ? `, refused with ${call.status}` : ''}`;
}

const longestWords = 60;

/** Names of fields may be of any length, and have any characters. */
function short(words: string): string {
  const line = [...words.replaceAll(/[\p{C}\p{Z}]+/gu, ' ')];
  return line.length > longestWords ? `${line.slice(0, longestWords).join('')}…` : line.join('');
}

/** Gives each interaction its own description, because Pact takes two with the same description for one. */
function named(interactions: readonly WrittenInteraction[]): WrittenInteraction[] {
  const seen = new Map<string, number>();
  return interactions.map((one) => {
    const times = (seen.get(one.description) ?? 0) + 1;
    seen.set(one.description, times);
    return times === 1 ? one : { ...one, description: `${one.description} (${times})` };
  });
}

function interactionOf(service: ServiceName, same: readonly Kind[], promiseAll: boolean): WrittenInteraction {
  const [{ description, recreated, scene }] = same as [Kind];
  const scenes = same.map((one) => one.scene);
  const bodies = scenes.map(({ call }) => bodyOf(call));
  const reply: Promised = promisedReply({
    provider: service,
    found: scene.found,
    status: scene.call.status,
    bodies,
    promiseAll,
    fixed: recreated.fixed ?? {},
    most: recreated.most,
  });
  const gap = openQuestions(service, scene, recreated);
  return {
    ...(Object.keys(gap).length > 0 && { comments: { references: { gap } } }),
    description,
    pending: false,
    providerStates: recreated.states,
    request: requestOf(scenes, recreated),
    response: reply,
    type: 'Synchronous/HTTP',
  };
}

function requestOf(scenes: readonly Scene[], { sample, from }: Recreated) {
  // Calls may differ in their `Accept` header. It is a part of the request only if all calls sent it.
  const acceptsJson = scenes.every(({ call }) => call.requestHeaders.accept?.includes('application/json'));
  const headers = { ...(acceptsJson && { Accept: 'application/json' }), ...sample.headers };
  const generators = generatorsOf(from);
  return {
    method: sample.method,
    path: sample.path,
    ...(Object.keys(sample.query).length > 0 && { query: sample.query }),
    ...(Object.keys(headers).length > 0 && {
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    }),
    ...(sample.body !== undefined && { body: { content: sample.body, contentType: 'application/json', encoded: false } }),
    ...(Object.keys(generators).length > 0 && { generators }),
  };
}

/** Values of the states, in the form of the specification: `body` and `header` by place, `path` alone. */
function generatorsOf(from: Readonly<Record<string, string>>): Record<string, unknown> {
  const generators: Record<string, Record<string, unknown>> = {};
  for (const [place, expression] of Object.entries(from)) {
    const generator = { expression, type: 'ProviderState' };
    const [part = '', ...rest] = place.split('.');
    generators[part] = rest.length === 0 ? generator : { ...generators[part], [rest.join('.')]: generator };
  }
  return generators;
}

function bodyOf({ responseHeaders, responseBody }: RecordedCall): unknown {
  if (!/json/.test(responseHeaders['content-type'] ?? '')) return undefined;
  return jsonOr(responseBody, undefined);
}

/** Gaps about the request that no reply shows (`untestable`). Those that a reply shows are found by trying (`settle.ts`). */
function openQuestions(service: ServiceName, { found, isSecured }: Scene, { sample }: Recreated): Record<string, string> {
  const sent = fieldsIn(jsonSchema(found.operation.requestBody), sample.body, '');
  const asked = [
    ...sent.flatMap(({ gaps, why }) => gaps.map((gap) => [gap, why] as const)),
    ...(isSecured && sample.headers.Authorization
      ? [[`${service}.token-transport`, 'the token travels as Authorization: Bearer'] as const]
      : []),
    ...(isSecured ? [] : [[`${service}.auth-path`, `the path ${sample.path}`] as const]),
  ];
  return Object.fromEntries(
    asked.filter(([gap]) => findGap(gap)?.untestable !== undefined).sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

/** The fields of a body whose form is a choice: those with values or a pattern of their own. */
function fieldsIn(schema: Schema | undefined, body: unknown, name: string): { gaps: string[]; why: string }[] {
  if (schema === undefined || body === undefined || body === null) return [];
  if (Array.isArray(body)) return body.slice(0, 1).flatMap((one) => fieldsIn(schema.items, one, name));
  if (typeof body === 'object')
    return Object.entries(schema.properties ?? {}).flatMap(([field, child]) =>
      fieldsIn(child, (body as Record<string, unknown>)[field], field),
    );
  const isChoice = schema.enum !== undefined || schema.pattern !== undefined;
  const why = schema.enum?.includes(body) ? `${name} ${body}` : `the form of ${name}`;
  return isChoice ? [{ gaps: schema['x-gap'] ?? [], why }] : [];
}
