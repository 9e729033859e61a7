import type { z } from 'zod';
import type { ServiceName } from '../../../spec/documents/services.ts';
import { sent } from '../../../spec/gaps/is/conditions.ts';
import type { Asked, CallFacts, RequestChange } from '../../../spec/gaps/is/is.ts';
import { checkerOf, jsonSchema, type Operation, type Schema } from '../../../spec/openapi/document.ts';
import { operationNamed, shownOfRequest } from '../../../spec/openapi/operations.ts';
import { aboutUnknown, type SeenCall } from './call.ts';
import { gapsOf } from './file.ts';
import { choice, type Finding, finding, not, nothing, type Recogniser, type Way } from './finding.ts';
import { differ, further, isInDoubt, sumOf } from './request-ways.ts';

/**
 * Findings from the fact that a request was accepted or refused. It is compared with our OpenAPI document, and with that document
 * as each alternative's `is` changes it.
 */

/** How a way refuses a request. `names`: a refusal names one of these fields. If there are none, the status alone identifies it. */
interface Refusal {
  names: string[];
  status?: number;
}

const queryOf = ({ parameters = [] }: Operation): Schema => {
  const own = parameters.filter((one) => one.in === 'query');
  return {
    type: 'object',
    properties: Object.fromEntries(own.map(({ name, schema = {} }) => [name, schema])),
    required: own.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
};

/** What the document has for the query and the body of a request. */
const parts = new Map<Operation, z.ZodType>();
function partsOf(operation: Operation): z.ZodType {
  const known = parts.get(operation);
  if (known) return known;
  const body = jsonSchema(operation.requestBody);
  const properties = { query: queryOf(operation), ...(body && { body }) };
  const schema = checkerOf({ type: 'object', properties, required: Object.keys(properties) });
  parts.set(operation, schema);
  return schema;
}

function refusedByChoice(operation: Operation, asked: Asked): Refusal | undefined {
  const numbers = (operation.parameters ?? []).flatMap(({ name, schema }) => {
    const value = schema?.type === 'integer' ? asked.query[name] : undefined;
    return value !== undefined && /^-?\d+$/.test(value) ? [[name, Number(value)]] : [];
  });
  const query = { ...asked.query, ...Object.fromEntries(numbers) };
  const { error } = partsOf(operation).safeParse({ query, body: asked.body });
  const names = (error?.issues ?? []).flatMap((issue) => [
    ...namesIn(issue.path.slice(1)),
    ...(issue.code === 'unrecognized_keys' ? issue.keys : []),
  ]);
  if (differ(Number(sent(asked).total), sumOf(asked))) names.push('total');
  return error || names.length > 0 ? { names } : undefined;
}

const namesIn = (path: readonly PropertyKey[]) => path.map(String).filter((step) => !/^\d+$/.test(step));

interface Judging {
  gap: string;
  way: Way;
  changes: readonly RequestChange[];
}

const judging = (api: ServiceName): Judging[] =>
  gapsOf(api).flatMap(({ id: gap, alternatives }) =>
    alternatives.flatMap(({ id: way, is = [] }) => {
      const changes = [...[is].flat().map(({ request }) => request), further[`${gap}=${way}`]].filter((one) => one !== undefined);
      return changes.length > 0 ? [{ gap, way, changes }] : [];
    }),
  );

function refusedBy({ changes }: Judging, operation: Operation, asked: Asked, known: CallFacts): Refusal | undefined {
  let changed = asked;
  for (const change of changes) {
    const made = change(changed, known) ?? {};
    if ('status' in made) return { status: made.status, names: made.details.flatMap(({ field }) => namesIn(field.split('.'))) };
    changed = { ...changed, ...made };
  }
  return refusedByChoice(operation, changed);
}

function waysOf(api: ServiceName, { asked }: SeenCall) {
  const operation = operationNamed(api, asked.operation);
  if (operation === undefined || typeof asked.body === 'string') return undefined;
  const known = shownOfRequest(api, asked.operation);
  const all = judging(api).map((one) => ({ ...one, refusal: refusedBy(one, operation, asked, known) }));
  const { takers = [], refusers = [] } = Object.groupBy(all, ({ refusal }) => (refusal ? 'refusers' : 'takers'));
  return { ours: refusedByChoice(operation, asked), takers, refusers };
}

/** A name of one letter may be any word of the refusal. */
const isForIt = (call: SeenCall, { names }: Refusal) => call.isRefusedFor(...names.filter((name) => name.length > 1));

/** True if a request is refused for a reason for which every way refuses it. */
export function isRefusedAnyway(api: ServiceName, call: SeenCall): boolean {
  const { ours, takers = [] } = waysOf(api, call) ?? {};
  return ours !== undefined && takers.length === 0 && isForIt(call, ours);
}

export const requestsOf =
  (api: ServiceName): Recogniser =>
  (call, earlier) => {
    const ways = waysOf(api, call);
    if (ways === undefined) return nothing;
    const { ours, takers, refusers } = ways;
    const isCertain = ({ gap }: Finding) => !isInDoubt[gap]?.(call, earlier);
    if (ours && call.isSuccess) return shown(takers, 'a request that our choice refuses is taken').filter(isCertain);
    if (ours && isForIt(call, ours))
      return excluded(takers, 'a request is refused for what our choice refuses').filter(isCertain);
    if (ours) return nothing;
    if (call.isSuccess) return excluded(refusers, 'a request that not every choice takes is taken');
    const explaining = refusers.filter(({ refusal }) => isRefusedAs(call, refusal));
    return shown(explaining, 'a request that our choice takes is refused').filter(isCertain);
  };

/** True if the call is refused for the alternative's reason, and not because of the service's own data. */
const isRefusedAs = (call: SeenCall, { names, status }: Refusal = { names: [] }) =>
  names.length === 0
    ? call.status === status
    : call.isRefusedFor(...names) && !call.says(/stock|catalog/i) && !call.says(aboutUnknown);

const byGap = (ways: readonly Judging[]): [gap: string, ways: Way[]][] =>
  [...Map.groupBy(ways, ({ gap }) => gap)].map(([gap, own]) => [gap, own.map(({ way }) => way)]);

const excluded = (ways: readonly Judging[], because: string): Finding[] =>
  byGap(ways).flatMap(([gap, own]) => finding(gap, not(...own), because));

/**
 * These ways explain the reply, and our choice does not. If they belong to several entries, nothing follows, because any of these
 * entries may be the cause.
 */
function shown(ways: readonly Judging[], because: string): Finding[] {
  const [[gap, own] = ['', []], ...more] = byGap(ways);
  if (own[0] === undefined || more.length > 0) return nothing;
  return finding(gap, own.length === 1 ? own[0] : not(choice), because);
}
