import { z } from 'zod';
import { invalid, notFound } from '../../base/errors.ts';
import { nearestOf } from '../../base/nearest.ts';
import type { App } from '../../http/api.ts';
import { idParam, text } from '../../http/fields.ts';
import type { CallRecords } from '../../http/record/recorder.ts';
import { callFormats, viewCall } from '../../manage/calls/export.ts';
import { blockCalls, callDetail, callFilters, callSummary, withNames } from '../../manage/calls/routes.ts';
import { listRoutes } from '../../manage/lists/routes.ts';
import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { serviceOf } from '../../webhooks/outbox/owners.ts';
import { callerOf, type ProfileCaller } from '../caller.ts';
import type { ProfileServices } from '../services.ts';
import { partners } from '../webhooks/own.ts';
import { explainRefusal, refusalView } from './explain.ts';
import { callersOf, countOwnCalls, listOwnCalls } from './own-calls.ts';

const tags = ['Calls'];

const { api: _api, partner: _partner, caller: _caller, ...ownFilters } = callFilters;
const filters = {
  ...ownFilters,
  token_id: idParam().optional().describe('Only calls with this token of yours (social cohesion).'),
};
type Filters = z.output<z.ZodObject<typeof filters>>;

const counts = {
  statuses: z.array(z.object({ status: z.int(), count: z.int() })).describe('The counted calls by status, most frequent first.'),
  operations: z
    .array(z.object({ operation: z.string().nullable(), count: z.int() }))
    .describe('The counted calls by operation, most frequent first; null for those of no operation.'),
};

const detail = callDetail.extend({ refusal: refusalView.nullable().describe('Null if the call was not refused.') });
const params = z.strictObject({ id: text(100) });

/** The recorded calls of the partner's own account or tokens. */
export function callRoutes(app: App, services: ProfileServices, records: CallRecords): void {
  const { store } = services;
  listRoutes(app, {
    url: '/calls',
    name: 'Calls',
    operation: partners.operation,
    rows: 'calls',
    tags,
    summary: 'Your recorded calls, newest first',
    description:
      'Every call of your account, or with your tokens, that ended before this one. If you came with a token, calls with tokens that have more abilities are left out.',
    ids: 'call',
    filters,
    async wanted(query, request) {
      await records.flush();
      return wantedBy(store, callerOf(request), query);
    },
    read: ({ callers, ...filter }) => listOwnCalls(store, callers, filter),
    count: ({ callers, ...filter }) => countOwnCalls(store, callers, filter),
    counts,
    at: ({ at }) => at,
    row: callSummary,
    view: async (calls) => (await withNames(store, calls)).map(viewCall),
  }).exportAs({ block: blockCalls, lines: (calls) => withNames(store, calls), formats: callFormats });

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

/** What a request of these filters finds. None of the callers is another partner's. */
async function wantedBy(rows: Rows, caller: ProfileCaller, { until, token_id: tokenId, ...rest }: Filters) {
  const api = serviceOf(caller.owner);
  await refuseUnknownOperation(api, rest.operation);
  const own = await callersOf(rows, caller);
  const callers = tokenId === undefined ? own : own.filter((one) => one === `token:${tokenId}`);
  return { callers, ...rest, to: until, api };
}
