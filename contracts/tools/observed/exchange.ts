import type { z } from 'zod';
import { behaviours } from '../../../spec/documents/behaviours.ts';
import type { ServiceName } from '../../../spec/documents/services.ts';
import { update } from '../../../spec/gaps/is/cohesion.ts';
import { replyUnder } from '../../../spec/gaps/is/effect.ts';
import type { Asked, Exchange, Is } from '../../../spec/gaps/is/is.ts';
import { token } from '../../../spec/gaps/is/pos.ts';
import { textsIn } from '../../../spec/gaps/is/values.ts';
import { fieldsOf, isRecord, type JsonReply } from '../../../spec/json.ts';
import { checkerOf, jsonSchema, type Operation, querySchema } from '../../../spec/openapi/document.ts';
import { findOperation, shownOfRequest } from '../../../spec/openapi/operations.ts';
import { alternativesOf, compare } from './compare.ts';
import type { Finding } from './finding.ts';
import { exampleOf, traitsIn } from './traits.ts';

/** Says what one call of a service shows about the entries of the register. */
export const findingsOf = (api: ServiceName, exchange: Exchange): Finding[] =>
  lackedField(api, exchange) === undefined ? [...requestFindings(api, exchange), ...replyFindings(api, exchange)] : [];

const servedBy = (api: ServiceName, { request }: Exchange) =>
  findOperation(api, request.operation.split(' ')[0] ?? '', request.path);

/**
 * Returns what a success lacks that the document shows, or undefined. A proxy or a page for signing in may have answered, so such a
 * reply says nothing of the service.
 */
export function lackedField(api: ServiceName, exchange: Exchange): string | undefined {
  const { request, reply } = exchange;
  const served = servedBy(api, exchange);
  if (!isSuccess(exchange) || served === undefined) return undefined;
  if (reply.body === undefined) return request.operation === update ? undefined : 'a body';
  if (typeof reply.body !== 'object') return 'a body in JSON';
  return behaviours[api]
    .filter(({ on }) => on.includes(`${served.method} ${served.path}`))
    .map(({ field }) => field?.split('.')[0])
    .find((field) => field !== undefined && fieldsOf(reply.body)[field] === undefined);
}

/** `names`: a refusal names one of these fields. If there are none, the status identifies it. */
interface Refusal {
  names: string[];
  status?: number;
}

const isSuccess = ({ reply: { status } }: Exchange): boolean => status >= 200 && status < 300;

const checkers = new Map<Operation, z.ZodType>();

function refusedByChoice(operation: Operation, { operation: name, query, headers, body }: Asked): Refusal | undefined {
  const schema = jsonSchema(operation.requestBody);
  const properties = { query: querySchema(operation), ...(schema && { body: schema }) };
  const checker = checkers.get(operation) ?? checkerOf({ type: 'object', properties, required: Object.keys(properties) });
  checkers.set(operation, checker);
  const numbers = (operation.parameters ?? [])
    .filter((one) => one.schema?.type === 'integer' && /^-?\d+$/.test(query[one.name] ?? ''))
    .map((one) => [one.name, Number(query[one.name])]);
  const { error } = checker.safeParse({ query: { ...query, ...Object.fromEntries(numbers) }, body });
  const names = (error?.issues ?? []).flatMap((issue) => [...issue.path, ...('keys' in issue ? issue.keys : [])].map(String));
  const hasToken = name === token || /^Bearer +\S/i.test(headers.authorization ?? '');
  return error || !hasToken ? { names } : undefined;
}

function refusedUnder(parts: readonly Is[], api: ServiceName, exchange: Exchange, operation: Operation, ours?: Refusal) {
  let asked = exchange.request;
  for (const is of parts) {
    const authorization = is.token?.(asked.headers.authorization, asked.headers) ?? '';
    if (is.token) asked = { ...asked, headers: { ...asked.headers, authorization } };
    const made = is.request?.(asked, shownOfRequest(api, asked.operation));
    if (made && 'details' in made) return { status: made.status, names: made.details.flatMap(({ field }) => field.split('.')) };
    if (made) asked = { ...asked, ...made };
  }
  const refusal = asked === exchange.request ? ours : refusedByChoice(operation, asked);
  if (refusal) return refusal;
  // Some refuse by what a request has found. Of a refused one it is not known, so it may be nothing.
  const schema = jsonSchema(Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1]);
  const found = isSuccess(exchange) ? exchange.reply : { status: 200, headers: {}, body: exampleOf(schema, 0) };
  const { status, body } = replyUnder(parts, found, exchange.request);
  return status < 400 ? undefined : { status, names: status === 422 ? Object.keys(fieldsOf(fieldsOf(body).errors)) : [] };
}

/** Compares whether a request was accepted with our OpenAPI document, and with it as each alternative's `is` changes the request. */
function requestFindings(api: ServiceName, exchange: Exchange): Finding[] {
  const { request } = exchange;
  const operation = servedBy(api, exchange)?.operation;
  // Nothing follows from a body that is not JSON.
  if (operation === undefined || typeof request.body === 'string') return [];
  const succeeds = isSuccess(exchange);
  const ours = refusedByChoice(operation, request);
  const explains = (refusal: Refusal | undefined) => (refusal ? isRefusedFor(exchange, refusal) : succeeds);
  const all = alternativesOf(api).map((one) => ({ ...one, refusal: refusedUnder(one.parts, api, exchange, operation, ours) }));
  if (explains(ours)) {
    const because = succeeds
      ? 'a request that not every choice accepts is accepted'
      : 'a request is refused for what our choice refuses';
    const others = Map.groupBy(all, ({ gap, refusal }) => (!refusal === !ours ? undefined : gap));
    return [...others].flatMap(([gap, ways]) => (gap ? [{ gap, excludes: ways.map(({ way }) => way), because }] : []));
  }
  if (ours && !succeeds) return [];
  // If several explain the reply, any of them may be the cause.
  const [only, ...more] = all.filter(({ refusal }) => explains(refusal));
  if (only === undefined || more.length > 0 || isInDoubt(only.gap, exchange)) return [];
  const because = succeeds ? 'a request that our choice refuses is accepted' : 'a request that our choice accepts is refused';
  return [{ gap: only.gap, shows: only.way, because }];
}

const ofRecords = /stock|catalog|unknown|not found|does not exist|no such|there is no|introuvable|inconnu/i;

/** Another rule of the service may explain the reply, or its own data. */
function isInDoubt(gap: string, { request, reply }: Exchange): boolean {
  if (gap === 'cohesion.financing-statuses') return reply.status >= 400 && request.operation === update;
  if (gap === 'cohesion.devise-sent') return reply.status < 400;
  return gap === 'pos.currency' || ([400, 422].includes(reply.status) && ofRecords.test(JSON.stringify(reply.body)));
}

const wordsIn = (text: string) => text.toLowerCase().split(/[^a-z0-9_-]+/);

/** True if a refusal names one of the fields or parameters, in whichever body: `items.0.quantity` names quantity. */
function isRefusedFor({ request, reply }: Exchange, { names, status }: Refusal): boolean {
  if (names.length === 0) return reply.status === status;
  // A service may repeat values of the request. The key of a text is none of its fields: a problem has a "type" of its own.
  const repeated: string[] = [];
  textsIn([request.body, request.query], (text) => repeated.push(...wordsIn(text)));
  const text = JSON.stringify(reply.body ?? '').replaceAll(/"[^"]*":(?=")/g, '');
  const words = wordsIn(text).filter((word) => word.length > 1 && !repeated.includes(word));
  return [400, 422].includes(reply.status) && names.some((name) => words.includes(name));
}

const ourHeaders = { 'cache-control': 'no-store', 'www-authenticate': 'Bearer', 'ratelimit-limit': '60' };

/** Statuses of the APIs' own refusals. Proxies and frameworks answer others, often with bodies of their own. */
const ownErrors = [400, 401, 403, 404, 405, 409, 422];

/** Compares a reply with an example of our document. */
function replyFindings(api: ServiceName, exchange: Exchange): Finding[] {
  const { request, reply } = exchange;
  const succeeds = isSuccess(exchange);
  const responses = Object.entries(servedBy(api, exchange)?.operation.responses ?? {});
  const [shown, content] = responses.find(([status]) => status.startsWith(succeeds ? '2' : '4')) ?? [];
  if (succeeds ? content === undefined : !ownErrors.includes(reply.status)) return [];
  const status = succeeds ? Number(shown) : ourStatus(api, exchange);
  const body = content ? exampleOf(jsonSchema(content)) : { error: { code: 'unknown_operation' } };
  const ours = { status: status ?? reply.status, headers: ourHeaders, body };
  const traitsOf = (one: JsonReply) =>
    new Set([
      ...(status ? [`status: ${one.status}`] : []),
      // RFC 6749 forbids the caching of tokens, so theirs says nothing.
      ...(request.operation === token ? [] : headerTraits(one)),
      ...(succeeds ? bodyTraits(one) : content ? traitsIn(one.body) : []),
    ]);
  return compare(api, succeeds ? 'a reply' : 'a refusal', traitsOf(reply), (parts) => {
    // An example does not say whether a call succeeds.
    const known = parts.filter(({ at }) => !succeeds || at !== 'outcome');
    return traitsOf(replyUnder(known, ours, request));
  });
}

function headerTraits({ status, headers }: JsonReply): string[] {
  const told = status === 401 ? 'www-authenticate' : status < 300 ? 'cache-control' : undefined;
  const limits = ['ratelimit-limit', 'x-ratelimit-limit'].filter((name) => name in headers);
  return [...(told ? [`${told}: ${headers[told] ?? 'none'}`] : []), ...limits.map((name) => `limit header: ${name}`)];
}

function bodyTraits({ body }: JsonReply): string[] {
  const { success: _, data, ...bare } = fieldsOf(body);
  const around = ['success', 'data'].filter((name) => name in fieldsOf(body));
  return [...around.map((name) => `(${name})`), ...traitsIn(data ?? (isRecord(body) ? bare : body))];
}

/** Returns our status of a refusal, if the request alone says what is wrong with it. */
function ourStatus(api: ServiceName, exchange: Exchange): number | undefined {
  const { body, headers } = exchange.request;
  const served = servedBy(api, exchange);
  if (served === undefined) return 404;
  if (typeof body === 'string' && !/[/+]json/.test(headers['content-type'] ?? '')) return 415;
  if (typeof body === 'string') return api === 'cohesion' ? 422 : undefined;
  const ours = refusedByChoice(served.operation, exchange.request);
  if (!ours || !isRefusedFor(exchange, ours)) return undefined;
  return api === 'pos' ? 400 : 422;
}
