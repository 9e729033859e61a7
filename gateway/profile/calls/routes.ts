import { z } from 'zod';
import { invalid, notFound } from '../../base/errors.ts';
import { nearestOf } from '../../base/nearest.ts';
import type { App } from '../../http/api.ts';
import { idParam, text, toInstant, toInstantOrNull } from '../../http/fields.ts';
import { listQuery, pagesOf, searchedPageOf } from '../../http/page.ts';
import type { CallRecords } from '../../http/record/recorder.ts';
import { callFormats, viewCall } from '../../manage/calls/export.ts';
import { blockCalls, callDetail, callFilters, callSummary, withNames } from '../../manage/calls/routes.ts';
import { countRoute, exportRoute } from '../../manage/lists/routes.ts';
import type { Rows } from '../../store/port.ts';
import { blocksOf } from '../../store/search.ts';
import type { Row } from '../../store/tables/index.ts';
import { serviceOf } from '../../webhooks/outbox/owners.ts';
import { callerOf, type ProfileCaller } from '../caller.ts';
import type { ProfileServices } from '../services.ts';
import { explainRefusal, refusalView } from './explain.ts';
import { callersOf, countOwnCalls, listOwnCalls } from './own-calls.ts';

const tags = ['Calls'];

const { api: _api, partner: _partner, caller: _caller, ...ownFilters } = callFilters;
const filters = {
  ...ownFilters,
  token_id: idParam().optional().describe('Only calls with this token of yours (social cohesion).'),
};
type Filters = z.output<z.ZodObject<typeof filters>>;

const detail = callDetail.extend({ refusal: refusalView.nullable().describe('Null if the call was not refused.') });
const params = z.strictObject({ id: text(100) });

/** The recorded calls of the partner's own account or tokens. */
export function callRoutes(app: App, services: ProfileServices, records: CallRecords): void {
  const { store } = services;
  listRoute(app, services, records);
  exportRoutes(app, services, records);

  /** The same words for another partner's call and for one that does not exist. */
  const ownCall = async (caller: ProfileCaller, id: string): Promise<Row<'calls'>> => {
    await records.flush();
    const call = await store.get('calls', { id, api: serviceOf(caller.owner) });
    if (!call || !(await callersOf(store, caller)).includes(call.caller ?? ''))
      throw notFound('id', `There is no recorded call ${JSON.stringify(id)} of yours. Check the id; old calls are not kept.`);
    return call;
  };

  app.route({
    method: 'GET',
    url: '/calls/:id',
    schema: {
      operationId: 'readProfileCall',
      tags,
      summary: 'One call: request and response without secrets, and why it was refused',
      params,
      response: { 200: z.object({ data: detail }) },
    },
    handler: async (request) => {
      const caller = callerOf(request);
      const call = await ownCall(caller, request.params.id);
      const [named] = await withNames(store, [call]);
      const refusal = await explainRefusal(call, serviceOf(caller.owner), `${request.protocol}://${request.host}`);
      return { data: { ...viewCall(named as NonNullable<typeof named>), refusal } };
    },
  });
  app.route({
    method: 'GET',
    url: '/calls/:id/curl',
    schema: {
      operationId: 'readProfileCallAsCurl',
      tags,
      summary: 'One call as a curl command, with `[redacted]` for secrets',
      params,
      response: { 200: { description: 'The command.', content: { 'text/plain': { schema: z.string() } } } },
    },
    handler: async (request, reply) => {
      const call = await ownCall(callerOf(request), request.params.id);
      const { type, text: textOf } = callFormats.curl;
      const { protocol, host } = request;
      let command = '';
      for await (const part of textOf(inOneBlock(await withNames(store, [call])), { protocol, host })) command += part;
      return reply.type(type).send(command);
    },
  });
}

async function* inOneBlock<R>(rows: R[]) {
  yield rows;
}

/** A misspelt operation would look as if there were no calls. */
async function refuseUnknownOperation(api: ReturnType<typeof serviceOf>, wanted: string | undefined): Promise<void> {
  if (wanted === undefined) return;
  const { operationsOf } = await import('../../../contracts/openapi/operations.ts');
  const known = operationsOf(api).flatMap(({ operation }) => operation.operationId ?? []);
  if (known.includes(wanted)) return;
  const message = `Your API has no operation ${JSON.stringify(wanted)}; the nearest is ${nearestOf(wanted, known)}.`;
  throw invalid('operation', 'unknown_operation', message);
}

/** What a request of these filters finds: the callers, of which none is another partner's, and the filter of the search. */
async function wantedBy(rows: Rows, caller: ProfileCaller, { until, token_id: tokenId, ...rest }: Filters) {
  const api = serviceOf(caller.owner);
  await refuseUnknownOperation(api, rest.operation);
  const own = await callersOf(rows, caller);
  const callers = tokenId === undefined ? own : own.filter((one) => one === `token:${tokenId}`);
  return { callers, filter: { ...rest, to: until, api } };
}

const leftOut = 'If you came with a token, calls with tokens that have more abilities are left out.';

function listRoute(app: App, { store }: ProfileServices, records: CallRecords): void {
  app.route({
    method: 'GET',
    url: '/calls',
    schema: {
      operationId: 'listProfileCalls',
      tags,
      summary: 'Your recorded calls, newest first',
      description: `Every call of your account, or with your tokens, that ended before this one. ${leftOut}`,
      querystring: listQuery({ ...pagesOf('call'), ...filters }),
      response: { 200: searchedPageOf(callSummary) },
    },
    handler: async (request) => {
      await records.flush();
      const { limit, cursor, ...query } = request.query;
      const { callers, filter } = await wantedBy(store, callerOf(request), query);
      const { data, next, stopped } = await listOwnCalls(store, callers, { ...filter, limit, cursor });
      return { data: (await withNames(store, data)).map(viewCall), next, searched_to: stopped && toInstant(stopped.at) };
    },
  });
}

const counts = {
  statuses: z.array(z.object({ status: z.int(), count: z.int() })).describe('The counted calls by status, most frequent first.'),
  operations: z
    .array(z.object({ operation: z.string().nullable(), count: z.int() }))
    .describe('The counted calls by operation, most frequent first; null for those of no operation.'),
};

function exportRoutes(app: App, { store }: ProfileServices, records: CallRecords): void {
  const named = { url: '/calls', name: 'ProfileCalls', rows: 'calls', tags, filters };
  countRoute(app, {
    ...named,
    more: counts,
    count: async (query, request) => {
      await records.flush();
      const { callers, filter } = await wantedBy(store, callerOf(request), query);
      const { searchedTo, ...counted } = await countOwnCalls(store, callers, filter);
      return { ...counted, searched_to: toInstantOrNull(searchedTo) };
    },
  });
  exportRoute(app, {
    ...named,
    formats: callFormats,
    async *blocks(query, request) {
      await records.flush();
      const { callers, filter } = await wantedBy(store, callerOf(request), query);
      const limit = blockCalls;
      for await (const calls of blocksOf((cursor) => listOwnCalls(store, callers, { ...filter, cursor, limit })))
        yield withNames(store, calls);
    },
  });
}
