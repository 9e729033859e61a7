import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ServiceName } from '../../../spec/documents/services.ts';
import { invalid, notFound } from '../../base/errors.ts';
import { nearestOf } from '../../base/nearest.ts';
import { callersOf } from '../../figures/callers.ts';
import type { App, Services } from '../../http/api.ts';
import { idParam, instant, moment, searchText, text } from '../../http/fields.ts';
import { callFilters as recordFilters } from '../../http/record/filters.ts';
import type { CallRecords } from '../../http/record/recorder.ts';
import { routesOf } from '../../http/routes.ts';
import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { callApis } from '../../store/tables/operating.ts';
import { serviceOf } from '../../webhooks/outbox/owners.ts';
import { type Audience, fieldsFor, operators } from '../audience.ts';
import { listRoutes } from '../lists/routes.ts';
import { callersNamed, partnerFilter } from '../partners.ts';
import { explainRefusal, refusalView } from './explain.ts';
import { callFormats, type NamedCall, viewCall } from './export.ts';
import { countOwnCalls, listOwnCalls } from './own-calls.ts';
import { countCalls, listCalls } from './queries.ts';

const tags = ['Calls'];
const headers = z.record(z.string(), z.unknown());

const callSummary = z.object({
  id: z.string().describe('Also in the reply header `x-request-id`.'),
  at: instant(),
  api: z.enum(callApis),
  operation: z.string().nullable().describe('Null if no operation has this path.'),
  caller: z
    .string()
    .nullable()
    .describe('`account:ID`, `token:ID`, `operator:NAME` or `operator` (OPERATOR_TOKEN); null if none was identified.'),
  caller_name: z.string().nullable().describe('The name of the account, or of the user and the token; null for operators.'),
  ip: z.string(),
  method: z.string(),
  path: z.string(),
  status: z.int(),
  duration_ms: z.number(),
  error_code: z.string().nullable(),
  limit_state: z.object({ name: z.string(), limit: z.number(), remaining: z.number(), resetSeconds: z.number() }).nullable(),
});

const callDetail = callSummary.extend({
  request_headers: headers,
  request_body: z.string().nullable(),
  response_headers: headers,
  response_body: z.string().nullable(),
});

const callFilters = {
  id: text(100).optional().describe('Only this call.'),
  api: z.enum(callApis).optional(),
  operation: text(100).optional(),
  caller: text(100).optional(),
  partner: partnerFilter.describe(
    'Part of the name of a point-of-sale account, or of a user or token of Social cohesion, in any case, with or without accents; or the whole id of an account (`account:ID`) or user (`user:ID`).',
  ),
  ip: text(100).optional().describe("The client's address."),
  method: recordFilters.method.optional(),
  status: recordFilters.status.optional(),
  error_code: text(100).optional().describe('Why it was refused, such as `not_found`.'),
  limited: z
    .literal('true')
    .transform(() => true)
    .optional()
    .describe('Only calls that a limit refused (429).'),
  q: searchText()
    .optional()
    .describe('Text in the path, the request body or the response body, or the whole Idempotency-Key; case-sensitive.'),
  from: moment().optional().describe('Calls from this instant on.'),
  until: moment().optional().describe('Calls before this instant.'),
};

/** Maximum calls in a block of an export: each has two bodies. */
const blockCalls = 100;

async function withNames<C extends Row<'calls'>>(rows: Rows, calls: readonly C[]): Promise<NamedCall[]> {
  const known = await callersOf(rows, [...new Set(calls.flatMap(({ caller }) => caller ?? []))]);
  return calls.map((call) => ({ ...call, caller_name: known.get(call.caller ?? '')?.name ?? null }));
}

const ownFilters = { token_id: idParam().optional().describe('Only calls with this token of yours (social cohesion).') };
const filtersFor = (audience: Audience) => ({
  ...fieldsFor(audience, callFilters, 'api', 'partner', 'caller'),
  ...((audience.own ? ownFilters : {}) as typeof ownFilters),
});

const recorderShape = {
  recorder: z.object({
    backlog: z.int(),
    lost: z.int().describe('Records dropped since the start, because too many waited to be stored.'),
  }),
};

const ownCounts = {
  statuses: z.array(z.object({ status: z.int(), count: z.int() })).describe('The counted calls by status, most frequent first.'),
  operations: z
    .array(z.object({ operation: z.string().nullable(), count: z.int() }))
    .describe('The counted calls by operation, most frequent first; null for those of no operation.'),
};

const ownDetail = callDetail.extend({ refusal: refusalView.nullable().describe('Null if the call was not refused.') });
const params = z.strictObject({ id: text(100) });

/** Recorded calls. Partners see those of their own account or tokens, and why one was refused. */
export function callRoutes(app: App, { store }: Services, records: CallRecords, audience: Audience = operators): void {
  listingRoutes(app, store, records, audience);
  readingRoutes(app, callFinder(store, records, audience), audience);
}

function listingRoutes(app: App, store: Rows, records: CallRecords, audience: Audience): void {
  const { own, ownerOf, callersOf, operation } = audience;
  listRoutes(app, {
    url: '/calls',
    name: 'Calls',
    operation,
    rows: 'calls',
    tags,
    summary: own ? 'Your recorded calls, newest first' : 'Recorded calls, newest first',
    description: own
      ? 'Every call of your account, or with your tokens, that ended before this one. If you came with a token, calls with tokens that have more abilities are left out.'
      : 'Every call that ended before this one, except those counted in `recorder.lost`, and GET calls of console sessions, which would crowd out the others.',
    ids: 'call',
    filters: filtersFor(audience),
    async wanted({ until, partner, token_id: tokenId, ...rest }, request) {
      await records.flush();
      const filter = { ...rest, to: until };
      const owner = ownerOf(request);
      if (owner === undefined) return { ...filter, callers: await callersNamed(store, partner), each: undefined };
      const api = serviceOf(owner);
      await refuseUnknownOperation(api, filter.operation);
      const seen = (await callersOf(request, store)) ?? [];
      const each = tokenId === undefined ? seen : seen.filter((caller) => caller === `token:${tokenId}`);
      return { ...filter, api, each };
    },
    read: ({ each, ...filter }) => (each ? listOwnCalls(store, each, filter) : listCalls(store, filter)),
    count: ({ each, ...filter }) => (each ? countOwnCalls(store, each, filter) : countCalls(store, filter)),
    at: ({ at }) => at,
    row: callSummary,
    view: async (calls) => (await withNames(store, calls)).map(viewCall),
    ...(own ? { counts: ownCounts } : { beside: { shape: recorderShape, read: () => ({ recorder: records.state }) } }),
  }).exportAs({ block: blockCalls, lines: (calls) => withNames(store, calls), formats: callFormats });
}

/** A misspelt operation would look as if there were no calls. */
async function refuseUnknownOperation(api: ServiceName, wanted: string | undefined): Promise<void> {
  if (wanted === undefined) return;
  const { operationsOf } = await import('../../../spec/openapi/operations.ts');
  const known = operationsOf(api).flatMap(({ operation }) => operation.operationId ?? []);
  if (known.includes(wanted)) return;
  const message = `Your API has no operation ${JSON.stringify(wanted)}; the nearest is ${nearestOf(wanted, known)}.`;
  throw invalid('operation', 'unknown_operation', message);
}

type CallFinder = (request: FastifyRequest, id: string) => Promise<NamedCall>;

/** The same words for another partner's call and for one that does not exist. */
const callFinder =
  (store: Rows, records: CallRecords, { own, ownerOf, callersOf }: Audience): CallFinder =>
  async (request, id) => {
    await records.flush();
    const owner = ownerOf(request);
    const call = await store.get('calls', { id, ...(owner && { api: serviceOf(owner) }) });
    const seen = await callersOf(request, store);
    const [named] = call && (seen?.includes(call.caller ?? '') ?? true) ? await withNames(store, [call]) : [];
    if (named) return named;
    const message = own
      ? `There is no recorded call ${JSON.stringify(id)} of yours. Check the id; old calls are not kept.`
      : `There is no recorded call ${id}. Calls are kept for CALL_RETENTION_HOURS.`;
    throw notFound('id', message);
  };

function readingRoutes(app: App, findCall: CallFinder, { own, ownerOf, operation }: Audience): void {
  const route = routesOf(app, tags);
  route('GET /calls/:id', {
    operationId: operation('readCall'),
    summary: own
      ? 'One call: request and response without secrets, and why it was refused'
      : 'One call: request and response with headers and bodies, without secrets',
    params,
    data: own ? ownDetail : callDetail,
    handler: async (request) => {
      const asked = request as FastifyRequest;
      const call = await findCall(asked, request.params.id);
      const owner = ownerOf(asked);
      const refusal = owner && (await explainRefusal(call, serviceOf(owner), `${request.protocol}://${request.host}`));
      return { ...viewCall(call), refusal: refusal ?? null };
    },
  });
}
