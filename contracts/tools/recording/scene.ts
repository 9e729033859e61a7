import type { ServiceName } from '../../../spec/documents/services.ts';
import { jsonOr } from '../../../spec/json.ts';
import { jsonSchema } from '../../../spec/openapi/document.ts';
import { findOperation, type ProviderOperation } from '../../../spec/openapi/operations.ts';
import type { ProviderState } from '../states/state.ts';
import { unescaped } from '../unescaped.ts';
import { queryOf } from '../verification/pact-file.ts';
import type { RecordedCall } from './recorded.ts';
import { sampleOf, sampleOfText } from './sample.ts';

/** A request as it stands in a pact. */
export interface SampledRequest {
  method: string;
  path: string;
  query: Record<string, string[]>;
  headers: Record<string, string>;
  body?: unknown;
}

/** A recorded call of an operation, read as far as a pact needs it. */
export interface Scene {
  call: RecordedCall;
  found: ProviderOperation;
  /** `createSale` */
  operation: string;
  /** The operation needs a token. */
  isSecured: boolean;
  authorization: string | undefined;
  /** As it was sent. */
  query: Record<string, string[]>;
  body: unknown;
  /** The segment of the path that is an id. */
  id: string | undefined;
  /** The same for every request of this shape. */
  sample: SampledRequest;
  /** What is unusual about the request. */
  words: string[];
  /** True if nothing in the request itself is a reason to refuse it. */
  isValid: boolean;
  facts: Facts;
}

/** How the reply to a request is brought about again. */
export interface Recreated {
  states: ProviderState[];
  /** Values of the states in the request, such as `Bearer ${token}`, by place: `path`, `header.Authorization`, `body.$.reference`. */
  from: Record<string, string>;
  /** The request, where it must fit the states. */
  sample: SampledRequest;
  /** Words about the situation: `of an unknown store`. */
  words: string[];
  /** Values that the documents fix in this situation, such as the field that a filter compares, by place in the reply. */
  fixed?: Record<string, unknown>;
  /** The most rows that a list may have. */
  most?: number;
}

/** A call from which no interaction can be written, and the reason. */
export class LeftOut extends Error {
  override name = 'LeftOut';
}

/** What the whole recording shows about a value of one call. The order of the calls does not matter. */
export interface Facts {
  /** True if some call with this value succeeded; `about` names what the value is: `store_id`. */
  succeeded(about: string, value: unknown): boolean;
  /** True if some call with this Authorization header was not answered with 401. */
  isAccepted(authorization: string): boolean;
  /** True if `/me` was answered with 403 for this Authorization header. */
  isInactive(authorization: string): boolean;
}

/** Reads the facts of a recording in one pass. */
export function factsOf(provider: ServiceName, calls: readonly RecordedCall[]): Facts {
  const succeeded = new Set<string>();
  const accepted = new Set<string>();
  const inactive = new Set<string>();
  for (const call of calls) {
    const { authorization = '' } = call.requestHeaders;
    const found = findOperation(provider, call.method, call.url);
    if (call.status === 403 && found?.operation.operationId === 'readMe') inactive.add(authorization);
    if (call.status > 0 && call.status < 500 && call.status !== 401 && call.status !== 429) accepted.add(authorization);
    if (call.status < 200 || call.status > 299) continue;
    const isWrite = call.method !== 'GET' && found?.operation.operationId !== 'issueToken';
    for (const [name, value] of valuesOf(call)) succeeded.add(factOf(name, value));
    if (isWrite) succeeded.add(`writer=${authorization}`);
    succeeded.add(`path=${pathOf(call.url)}`);
  }
  return {
    succeeded: (about, value) => succeeded.has(factOf(about, value)),
    isAccepted: (authorization) => accepted.has(authorization),
    isInactive: (authorization) => inactive.has(authorization),
  };
}

/** A body may have an object here, which JavaScript need not turn into text. */
const factOf = (about: string, value: unknown) => `${about}=${typeof value === 'object' ? JSON.stringify(value) : value}`;

const pathOf = (url: string) => url.split(/[?#]/)[0]?.replace(/(?<=.)\/$/, '') ?? '';

const parsed = (text: string) => jsonOr(text, undefined);

/** The headers of a call, and the fields of its query, its body and the lines of its body. */
function valuesOf({ url, requestHeaders, requestBody }: RecordedCall): [string, unknown][] {
  const body = parsed(requestBody);
  const fields = typeof body === 'object' && body !== null ? Object.entries(body) : [];
  const lines = fields.flatMap(([, value]) => (Array.isArray(value) ? value.flatMap((one) => Object.entries(one ?? {})) : []));
  return [...Object.entries(requestHeaders), ...new URLSearchParams(url.split('?')[1] ?? ''), ...fields, ...lines];
}

/** Statuses that a pact cannot bring about, and why. */
const unrepeatable: Readonly<Record<number, string>> = {
  0: 'it got no reply',
  405: 'the document has no such method',
  413: 'its body is too long for a pact',
  415: 'its body is not JSON, and pacts of these APIs are',
};

/** Reads a call. Throws `LeftOut`. */
export function sceneOf(provider: ServiceName, call: RecordedCall, facts: Facts): Scene {
  const found = findOperation(provider, call.method, call.url);
  if (found === undefined) throw new LeftOut(`${provider} has no such operation`);
  const reason = unrepeatable[call.status] ?? (call.status >= 500 ? 'no state makes the provider fail' : undefined);
  if (reason !== undefined) throw new LeftOut(reason);
  if (call.status < 200 || (call.status >= 300 && call.status < 400)) throw new LeftOut('the document has no such status');
  const body = parsed(call.requestBody);
  if (call.requestBody !== '' && body === undefined) throw new LeftOut('its body is not JSON, and pacts of these APIs are');

  const { operation } = found;
  const path = pathOf(call.url);
  const id = found.path.includes('{') ? path.split('/').at(-1) : undefined;
  const idSchema = operation.parameters?.find((one) => one.in === 'path')?.schema;
  const idSample = id === undefined ? undefined : sampleOfText(idSchema, unescaped(id), 'id');
  if (idSample?.isValid === false) throw new LeftOut('the document has no such id, so its path is unknown there');
  const query = queryOf(call.url.split('#')[0]?.split('?')[1] ?? '');
  const sampledQuery = sampledQueryOf(operation.parameters ?? [], query);
  const schema = jsonSchema(operation.requestBody);
  const bodySample = call.requestBody === '' ? undefined : sampleOf(schema, body, schema ? '' : 'body');
  const isBodyMissing = schema !== undefined && bodySample === undefined;
  const isJson = bodySample !== undefined || (isBodyMissing && /json/i.test(call.requestHeaders['content-type'] ?? ''));
  const parts = [idSample, sampledQuery, bodySample].filter((one) => one !== undefined);
  const isValid = !isBodyMissing && parts.every((one) => one.isValid);
  if (call.status < 300 && !isValid) throw new LeftOut('the document does not allow the request, but it succeeded');
  const alias = id === undefined && path !== found.path && path.startsWith('/api/') ? path : undefined;
  return {
    call,
    found,
    operation: operation.operationId ?? `${found.method} ${found.path}`,
    isSecured: operation.security?.length !== 0,
    authorization: call.requestHeaders.authorization,
    query,
    body,
    id,
    sample: {
      method: found.method,
      path: idSample === undefined ? (alias ?? found.path) : found.path.replace(/\{.+\}$/, encodeURIComponent(idSample.value)),
      query: sampledQuery.query,
      headers: isJson ? { 'Content-Type': 'application/json' } : {},
      ...(bodySample && { body: bodySample.value }),
    },
    words: [
      ...(alias === undefined ? [] : [`the path ${alias}`]),
      ...parts.flatMap(({ words }) => words),
      ...(isBodyMissing ? [isJson ? 'no body but a Content-Type' : 'no body'] : []),
    ],
    isValid,
    facts,
  };
}

type Parameters = NonNullable<ProviderOperation['operation']['parameters']>;

function sampledQueryOf(parameters: Parameters, query: Record<string, string[]>) {
  const known = new Map(parameters.filter((one) => one.in === 'query').map((one) => [one.name, one]));
  const missing = [...known.values()].filter(({ name, required }) => required && !Object.hasOwn(query, name));
  const samples = Object.keys(query)
    .sort()
    .map((name) => ({ name, all: (query[name] ?? []).map((text) => sampleOfText(known.get(name)?.schema, text, name)) }));
  const wordsOf = ({ name, all }: (typeof samples)[number]): string[] => {
    const words = all.length > 1 ? [`more than one ${name}`] : all.flatMap((one) => one.words);
    return words.length === 0 && !known.get(name)?.required ? [name] : words;
  };
  return {
    query: Object.fromEntries(samples.map(({ name, all }) => [name, all.map(({ value }) => value)])),
    words: [...samples.flatMap(wordsOf), ...missing.map(({ name }) => `no ${name}`)],
    isValid: missing.length === 0 && samples.every(({ all }) => all.length === 1 && all[0]?.isValid),
  };
}
