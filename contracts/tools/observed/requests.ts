import type { z } from 'zod';
import type { ServiceName } from '../../../spec/documents/services.ts';
import { update } from '../../../spec/gaps/is/cohesion.ts';
import { replyUnder } from '../../../spec/gaps/is/effect.ts';
import type { Asked, CallFacts, Exchange, Is } from '../../../spec/gaps/is/is.ts';
import { token } from '../../../spec/gaps/is/pos.ts';
import { fieldsOf } from '../../../spec/json.ts';
import { checkerOf, jsonSchema, type Operation, querySchema } from '../../../spec/openapi/document.ts';
import { operationNamed, shownOfRequest } from '../../../spec/openapi/operations.ts';
import { type Alternative, alternativesOf } from './compare.ts';
import { choice, type Finding, type IsExcluded } from './finding.ts';
import { exampleOf } from './traits.ts';

/**
 * Findings from the fact that a request was accepted or refused. It is compared with our OpenAPI document, and with that document
 * as each alternative's `is` changes the request.
 */

/** `names`: a refusal names one of these fields. If there are none, the status identifies it. */
interface Refusal {
  names: string[];
  status?: number;
}

export const isSuccess = ({ reply: { status } }: Exchange): boolean => status >= 200 && status < 300;

/** What the document has for the query and the body of a request. */
const checkers = new Map<Operation, z.ZodType>();
function checkerFor(operation: Operation): z.ZodType {
  const query = querySchema(operation);
  const body = jsonSchema(operation.requestBody);
  const properties = { query, ...(body && { body }) };
  const checker = checkers.get(operation) ?? checkerOf({ type: 'object', properties, required: Object.keys(properties) });
  checkers.set(operation, checker);
  return checker;
}

/** Names of one letter may be any word of a refusal, and digits are places in a list. */
const namesIn = (path: readonly PropertyKey[]) => path.map(String).filter((step) => step.length > 1 && !/^\d+$/.test(step));

function refusedByChoice(operation: Operation, { operation: name, query, headers, body }: Asked): Refusal | undefined {
  const numbers = (operation.parameters ?? [])
    .filter((one) => one.schema?.type === 'integer' && /^-?\d+$/.test(query[one.name] ?? ''))
    .map((one) => [one.name, Number(query[one.name])]);
  const { error } = checkerFor(operation).safeParse({ query: { ...query, ...Object.fromEntries(numbers) }, body });
  const names = (error?.issues ?? []).flatMap(({ path, ...issue }) =>
    namesIn([...path.slice(1), ...(issue.code === 'unrecognized_keys' ? issue.keys : [])]),
  );
  const hasToken = name === token || /^Bearer +\S/i.test(headers.authorization ?? '');
  return error || !hasToken ? { names } : undefined;
}

/** What is the same for every alternative: how our choice refuses the request, and what is known beside it. */
interface Known {
  operation: Operation;
  ours: Refusal | undefined;
  facts: CallFacts;
}

function refusedUnder(parts: readonly Is[], exchange: Exchange, { operation, ours, facts }: Known): Refusal | undefined {
  let asked = exchange.request;
  for (const is of parts) {
    const authorization = is.token ? (is.token(asked.headers.authorization, asked.headers) ?? '') : undefined;
    if (authorization !== undefined && authorization !== asked.headers.authorization)
      asked = { ...asked, headers: { ...asked.headers, authorization } };
    const made = is.request?.(asked, facts);
    if (made === undefined) continue;
    if ('details' in made) return { status: made.status, names: made.details.flatMap(({ field }) => namesIn(field.split('.'))) };
    asked = { ...asked, ...made };
  }
  const refusal = asked === exchange.request ? ours : refusedByChoice(operation, asked);
  if (refusal) return refusal;
  // Some refuse by what a request has found. Of a refused one it is not known, so it may be nothing.
  const schema = jsonSchema(Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1]);
  const found = isSuccess(exchange) ? exchange.reply : { status: 200, headers: {}, body: exampleOf(schema) };
  const { status, body } = replyUnder(parts, found, exchange.request);
  return status < 400 ? undefined : { status, names: status === 422 ? Object.keys(fieldsOf(fieldsOf(body).errors)) : [] };
}

/** Returns the operation of a request with a body in JSON. Nothing follows from another body. */
const operationOf = (api: ServiceName, { request }: Exchange) =>
  typeof request.body === 'string' ? undefined : operationNamed(api, request.operation);

export function requestFindings(api: ServiceName, exchange: Exchange, isExcluded: IsExcluded): Finding[] {
  const operation = operationOf(api, exchange);
  if (operation === undefined) return [];
  const ours = refusedByChoice(operation, exchange.request);
  const facts = shownOfRequest(api, exchange.request.operation);
  const all = alternativesOf(api)
    .filter(({ parts }) => parts.length > 0)
    .map((one) => ({ ...one, refusal: refusedUnder(one.parts, exchange, { operation, ours, facts }) }));
  const refusers = all.filter(({ refusal }) => refusal !== undefined);
  const takers = all.filter(({ refusal }) => refusal === undefined);
  const shown = (ways: readonly Alternative[], because: string) =>
    shownBy(ways, because, isExcluded).filter(({ gap }) => !isInDoubt(gap, exchange));
  if (ours && isSuccess(exchange)) return shown(takers, 'a request that our choice refuses is accepted');
  if (ours && isRefusedFor(exchange, ours)) return excluded(takers, 'a request is refused for what our choice refuses');
  if (ours) return [];
  if (isSuccess(exchange)) return excluded(refusers, 'a request that not every choice accepts is accepted');
  const explaining = refusers.filter(({ refusal }) => refusal && isRefusedAs(exchange, refusal));
  return shown(explaining, 'a request that our choice accepts is refused');
}

/** True if the request is refused for a reason for which our document refuses it. */
export function isRefusedAsOurs(api: ServiceName, exchange: Exchange): boolean {
  const operation = operationOf(api, exchange);
  const ours = operation && refusedByChoice(operation, exchange.request);
  return ours !== undefined && isRefusedFor(exchange, ours);
}

/** Another rule of the service may explain the reply. */
function isInDoubt(gap: string, exchange: Exchange): boolean {
  if (gap === 'cohesion.financing-statuses') return !isSuccess(exchange) && exchange.request.operation === update;
  return gap === 'pos.currency' || (gap === 'cohesion.devise-sent' && isSuccess(exchange));
}

const excluded = (ways: readonly Alternative[], because: string): Finding[] =>
  [...Map.groupBy(ways, ({ gap }) => gap)].map(([gap, own]) => ({ gap, excludes: own.map(({ way }) => way), because }));

/** These ways explain the reply, and our choice does not. If they belong to several entries, any of them may be the cause. */
function shownBy(ways: readonly Alternative[], because: string, isExcluded: IsExcluded): Finding[] {
  const left = ways.filter(({ gap, way }) => !isExcluded(gap, way));
  const [first, ...more] = left.length > 0 ? left : ways;
  if (first === undefined || more.some(({ gap }) => gap !== first.gap)) return [];
  return [{ gap: first.gap, ...(more.length === 0 ? { shows: first.way } : { excludes: [choice] }), because }];
}

const ofRecords = /stock|catalog|unknown|not found|does not exist|no such|there is no|introuvable|inconnu/i;

/** True if the call is refused for the alternative's reason, and not because of the service's own data. */
const isRefusedAs = (exchange: Exchange, refusal: Refusal): boolean =>
  refusal.names.length === 0
    ? exchange.reply.status === refusal.status
    : isRefusedFor(exchange, refusal) && !ofRecords.test(wordsOf(exchange));

/** True if a refusal names one of the fields or parameters, in whichever body: `items.0.quantity` names quantity. */
function isRefusedFor(exchange: Exchange, { names }: Refusal): boolean {
  const [words, { status }] = [wordsOf(exchange), exchange.reply];
  const asPattern = (name: string) => `(^|[^a-z0-9_-])${name.replaceAll(/[^a-z0-9_-]/gi, '.')}($|[^a-z0-9_-])`;
  return (status === 400 || status === 422) && names.some((name) => new RegExp(asPattern(name), 'i').test(words));
}

/** Names of the error body itself: the "type" of a problem is not a field of the request. */
const ofFrame = ['type', 'title', 'status', 'instance'];

/** The text of a refusal, without the request's own values: a service may repeat them. */
function wordsOf({ request, reply }: Exchange): string {
  const own: string[] = [];
  JSON.stringify([request.body, request.query], (_, value) => {
    if (typeof value === 'string' && value.length > 3) own.push(value);
    return value;
  });
  const isKept = (name: string, value: unknown) => !ofFrame.includes(name) || typeof value === 'object';
  const text = JSON.stringify(reply.body ?? '', (name, value) => (isKept(name, value) ? value : undefined)) ?? '';
  return own.reduce((words, value) => words.replaceAll(value, '…'), text);
}
