import { behaviours } from '../../../spec/documents/behaviours.ts';
import type { ServiceName } from '../../../spec/documents/services.ts';
import { update } from '../../../spec/gaps/is/cohesion.ts';
import { replyUnder } from '../../../spec/gaps/is/effect.ts';
import type { Exchange } from '../../../spec/gaps/is/is.ts';
import { token } from '../../../spec/gaps/is/pos.ts';
import { fieldsOf, isRecord, type JsonReply } from '../../../spec/json.ts';
import { jsonSchema } from '../../../spec/openapi/document.ts';
import { findOperation } from '../../../spec/openapi/operations.ts';
import { alternativesOf, type Comparison, compare, traitsUnder } from './compare.ts';
import type { Finding, IsExcluded } from './finding.ts';
import { isRefusedAsOurs, isSuccess, requestFindings } from './requests.ts';
import { challengeIn, examplesOf, type Names, replyTraits, traitsIn, unionOf } from './traits.ts';

/** Says what one call of a service shows about the entries of the register. */
export function findingsOf(api: ServiceName, exchange: Exchange, isExcluded: IsExcluded): Finding[] {
  if (lackedField(api, exchange) !== undefined) return [];
  const compared = (isSuccess(exchange) ? [ofReply(api, exchange)] : [ofError(api, exchange), ofRefusal(api, exchange)])
    .filter((one) => one !== undefined)
    .flatMap((one) => compare(api, one, isExcluded));
  return [...requestFindings(api, exchange, isExcluded), ...compared];
}

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

const ourHeaders = { 'cache-control': 'no-store', 'www-authenticate': 'Bearer', 'ratelimit-limit': '60' };

/** Returns the traits of our replies, as the parts of an alternative change them. */
const traitsOf = (ours: readonly JsonReply[], { request }: Exchange, traits: (reply: JsonReply) => Names) =>
  traitsUnder(ours, (parts, reply) => replyUnder(parts, reply, request), traits);

/** Compares the status, headers and body of a success. RFC 6749 forbids the caching of tokens, so theirs says nothing. */
function ofReply(api: ServiceName, exchange: Exchange): Comparison | undefined {
  const { request, reply } = exchange;
  const operation = servedBy(api, exchange)?.operation;
  if (operation === undefined || (isRecord(reply.body) && Object.keys(reply.body).length === 0)) return undefined;
  const [shown = '', content] = Object.entries(operation.responses).find(([status]) => status.startsWith('2')) ?? [];
  const headers: JsonReply['headers'] = request.operation === token ? reply.headers : ourHeaders;
  const ours = examplesOf(jsonSchema(content)).map((body) => ({ status: Number(shown), headers, body }));
  const { names, unknown } = replyTraits(reply);
  const underParts = traitsOf(ours, exchange, (one) => replyTraits(one).names);
  // A field that the client did not send need not be in the reply.
  const sendable = request.operation.startsWith('POST') ? (jsonSchema(operation.requestBody)?.properties ?? {}) : {};
  const unsent = Object.keys(sendable).filter((name) => !(name in fieldsOf(request.body)));
  return {
    what: 'a reply',
    seen: { names, unknown: [...unknown, ...unsent] },
    // An example does not say whether a call succeeds.
    traitsUnder: (parts) => underParts(parts.filter(({ at }) => at !== 'outcome')),
  };
}

/** Statuses of the APIs themselves. Proxies and frameworks answer others, often with bodies of their own. */
const ownErrors = [400, 401, 403, 404, 405, 409, 422];

/** Compares the body of a refusal, and its challenge. */
function ofError(api: ServiceName, exchange: Exchange): Comparison | undefined {
  const { request, reply } = exchange;
  const content = Object.entries(servedBy(api, exchange)?.operation.responses ?? {}).find(([one]) => one.startsWith('4'))?.[1];
  if (content === undefined || !ownErrors.includes(reply.status) || !isRecord(reply.body)) return undefined;
  const ours = examplesOf(jsonSchema(content)).map((body) => ({ status: reply.status, headers: ourHeaders, body }));
  const hasChallenge = reply.status === 401 && request.operation !== token;
  const traits = ({ headers, body }: JsonReply) => traitsIn(body, hasChallenge ? [challengeIn(headers)] : []);
  return { what: 'an error', seen: traits(reply), traitsUnder: traitsOf(ours, exchange, (one) => traits(one).names) };
}

/** Compares the status of a refusal, where the request alone says what is wrong with it, so that ours is known. */
function ofRefusal(api: ServiceName, exchange: Exchange): Comparison | undefined {
  const status = ourStatus(api, exchange);
  if (status === undefined) return undefined;
  const traits = (reply: JsonReply): Names => new Set([`(status ${reply.status})`]);
  const code = servedBy(api, exchange) === undefined ? 'unknown_operation' : 'invalid_request';
  const ours = { status, headers: {}, body: { error: { code } } };
  const underParts = traitsOf([ours], exchange, traits);
  const known = unionOf(alternativesOf(api).map(({ parts }) => underParts(parts)));
  // Something else may be wrong with the request too.
  if (!known.has(`(status ${exchange.reply.status})`)) return undefined;
  return { what: 'the refusal', seen: { names: traits(exchange.reply), unknown: [] }, traitsUnder: underParts };
}

function ourStatus(api: ServiceName, exchange: Exchange): number | undefined {
  const { methods = [], body, headers } = exchange.request;
  if (servedBy(api, exchange) === undefined) return methods.length > 0 ? 404 : undefined;
  if (typeof body === 'string' && !/[/+]json/.test(headers['content-type'] ?? '')) return 415;
  if (typeof body === 'string') return api === 'cohesion' ? 422 : undefined;
  if (!isRefusedAsOurs(api, exchange)) return undefined;
  return api === 'pos' ? 400 : 422;
}
