import type { ServiceName } from '../../../spec/documents/services.ts';
import type { Exchange } from '../../../spec/gaps/is/is.ts';
import { fieldsOf, type Json } from '../../../spec/json.ts';
import { jsonSchema, querySchema, type Schema } from '../../../spec/openapi/document.ts';
import { findOperation, type ProviderOperation } from '../../../spec/openapi/operations.ts';
import type { ProviderState } from '../states/state.ts';
import { unescaped } from '../unescaped.ts';
import { isAllowed, sampleOf, usualOf } from './sample.ts';

/** An interaction in the making. `draftOf` makes the request from the OpenAPI document, and `situations.ts` adds the rest. */
export type Draft = ReturnType<typeof draftOf>;

/** An exchange from which no interaction can be written, and the reason. */
export class LeftOut extends Error {}

/** The objects in a list of a body, such as the lines of a sale. */
export const linesOf = (value: unknown): Json[] => (Array.isArray(value) ? value.map(fieldsOf) : []);

type Facts = ReturnType<typeof factsOf>;

/** Tells whether an exchange with a value succeeded. A fact is about `store_id`, `a known token`, `a writer` and the like. */
export function factsOf(exchanges: readonly Exchange[]) {
  const known = new Set<string>();
  const add = (...fact: [about: string, value: unknown]) => known.add(JSON.stringify(fact));
  for (const { request, reply } of exchanges) {
    const { authorization = '' } = request.headers;
    if (reply.status > 0 && reply.status < 500 && ![401, 429].includes(reply.status)) add('a known token', authorization);
    if (reply.status < 200 || reply.status > 299) continue;
    if (!request.operation.startsWith('GET ')) add('a writer', authorization);
    const body = fieldsOf(request.body);
    for (const fields of [request.headers, request.query, body, ...Object.values(body).flatMap(linesOf)])
      for (const [name, value] of Object.entries(fields)) add(name, value);
  }
  return (...fact: [about: string, value: unknown]) => known.has(JSON.stringify(fact));
}

/** Why no pact can bring about such a reply. */
function reasonAgainst({ request, reply: { status } }: Exchange): string | undefined {
  if (status === 0) return 'it got no reply';
  if (status >= 500) return 'no state makes the provider fail';
  if (status === 405) return 'the document has no such method';
  if (status === 413) return 'its body is too long for a pact';
  if (status < 200 || (status >= 300 && status < 400)) return 'the document has no such status';
  return status === 415 || typeof request.body === 'string' ? 'its body is not JSON, and pacts of these APIs are' : undefined;
}

/** Makes the request of an interaction. Throws `LeftOut`. */
export function draftOf(service: ServiceName, exchange: Exchange, facts: Facts) {
  const { request: sent, reply } = exchange;
  const { status } = reply;
  const found = findOperation(service, sent.operation.split(' ')[0] ?? '', sent.path);
  if (found === undefined) throw new LeftOut(`${service} has no such operation`);
  const reason = reasonAgainst(exchange);
  if (reason !== undefined) throw new LeftOut(reason);
  const { parameters = [], requestBody } = found.operation;
  const schemas = { query: querySchema(found.operation), body: jsonSchema(requestBody) };
  const query: Json = {};
  for (const [name, text] of Object.entries(sent.query)) query[name] = numberIn(schemas.query.properties?.[name], text);
  const hasBody = sent.body !== undefined;
  const isValid = isAllowed(schemas.query, query) && (schemas.body ? isAllowed(schemas.body, sent.body) : !hasBody);
  if (status < 300 && !isValid) throw new LeftOut('the document does not allow the request, but it succeeded');

  const asked = sampleOf(schemas.query, query, 'query');
  const body = hasBody ? sampleOf(schemas.body, sent.body, 'body') : { value: undefined, words: schemas.body ? ['no body'] : [] };
  const headers: Record<string, string> = {};
  if (sent.headers.accept?.includes('application/json')) headers.Accept = 'application/json';
  if (hasBody) headers['Content-Type'] = 'application/json';
  for (const { name, schema = {} } of parameters.filter((one) => one.in === 'header' && sent.headers[one.name] !== undefined)) {
    // Under an Idempotency-Key that was used, the reply depends on an earlier call.
    if (isValid && status === 400 && facts(name, sent.headers[name]))
      throw new LeftOut(`its reply depends on an earlier call with the same ${name}`);
    headers[name] = String(usualOf(schema));
    asked.words.push(name);
  }
  const texts = Object.entries(fieldsOf(asked.value)).map(([name, value]) => [name, String(value)]);
  return {
    service,
    found,
    facts,
    /** The request as it was recorded. */
    sent,
    reply,
    status,
    /** True if nothing in the request itself is a reason to refuse it. */
    isValid,
    schemas,
    /** The request in the pact: the same for every request of this shape. */
    request: {
      path: pathOf(found, sent.path),
      query: Object.fromEntries(texts) as Record<string, string>,
      headers,
      body: body.value,
    },
    /** What is unusual about the request. */
    asked: [...asked.words, ...body.words],
    states: [] as ProviderState[],
    /** Values of the states in the request, as the specification of Pact has them. */
    generators: {} as Record<string, Json>,
    /** What the states bring about: `of an unknown store`. */
    words: [] as string[],
    /** Values that the documents fix in this situation, such as the field that a filter compares, by place in the reply. */
    fixed: {} as Json,
    /** The most rows that a list may have. */
    most: undefined as number | undefined,
  };
}

/** The value of a query parameter or a segment of a path, which are texts. */
const numberIn = (schema: Schema | undefined, text: string): unknown =>
  schema?.type === 'integer' && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;

/** The path with an id of every pact. An operation without an id may have two paths (gap pos.auth-path). */
function pathOf({ path, operation }: ProviderOperation, sent: string): string {
  const schema = operation.parameters?.find((one) => one.in === 'path')?.schema;
  if (schema === undefined) return sent.startsWith('/api/') ? sent : path;
  if (!isAllowed(schema, numberIn(schema, unescaped(sent.split('/').at(-1) ?? ''))))
    throw new LeftOut('the document has no such id, so its path is unknown there');
  return path.replace(/\{.+\}$/, String(usualOf(schema)));
}
