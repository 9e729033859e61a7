import { z } from 'zod';
import { notFound } from '../../base/errors.ts';
import { callersOf } from '../../figures/callers.ts';
import type { App, Services } from '../../http/api.ts';
import { instant, moment, searchText, text } from '../../http/fields.ts';
import { callFilters as recordFilters } from '../../http/record/filters.ts';
import type { CallRecords } from '../../http/record/recorder.ts';
import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { callApis } from '../../store/tables/operating.ts';
import { listRoutes } from '../lists/routes.ts';
import { callersNamed, partnerFilter } from '../partners.ts';
import { callFormats, type NamedCall, viewCall } from './export.ts';
import { countCalls, listCalls } from './queries.ts';

const tags = ['Calls'];
const headers = z.record(z.string(), z.unknown());

export const callSummary = z.object({
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
  status: z.number().int(),
  duration_ms: z.number(),
  error_code: z.string().nullable(),
  limit_state: z.object({ name: z.string(), limit: z.number(), remaining: z.number(), resetSeconds: z.number() }).nullable(),
});

export const callDetail = callSummary.extend({
  request_headers: headers,
  request_body: z.string().nullable(),
  response_headers: headers,
  response_body: z.string().nullable(),
});

/** The filters of `GET /calls`. */
export const callFilters = {
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
export const blockCalls = 100;

/** The calls with their callers' names, which are read together. */
export async function withNames<C extends Row<'calls'>>(rows: Rows, calls: readonly C[]): Promise<NamedCall[]> {
  const known = await callersOf(rows, [...new Set(calls.flatMap(({ caller }) => caller ?? []))]);
  return calls.map((call) => ({ ...call, caller_name: known.get(call.caller ?? '')?.name ?? null }));
}

export function callRoutes(app: App, { store }: Services, records: CallRecords): void {
  listRoutes(app, {
    url: '/calls',
    name: 'Calls',
    rows: 'calls',
    tags,
    summary: 'Recorded calls, newest first',
    description:
      'Every call that ended before this one, except those counted in `recorder.lost`, and GET calls of console sessions, which would crowd out the others.',
    ids: 'call',
    filters: callFilters,
    async wanted({ until, partner, ...rest }) {
      await records.flush();
      return { ...rest, to: until, callers: await callersNamed(store, partner) };
    },
    read: (wanted) => listCalls(store, wanted),
    count: (wanted) => countCalls(store, wanted),
    at: ({ at }) => at,
    row: callSummary,
    view: async (calls) => (await withNames(store, calls)).map(viewCall),
    beside: {
      shape: {
        recorder: z.object({
          backlog: z.number().int(),
          lost: z.number().int().describe('Records dropped since the start, because too many waited to be stored.'),
        }),
      },
      read: () => ({ recorder: records.state }),
    },
  }).exportAs({ block: blockCalls, lines: (calls) => withNames(store, calls), formats: callFormats });

  app.route({
    method: 'GET',
    url: '/calls/:id',
    schema: {
      operationId: 'readCall',
      tags,
      summary: 'One call: request and response with headers and bodies, without secrets',
      params: z.object({ id: text(100) }),
      response: { 200: z.object({ data: callDetail }) },
    },
    handler: async (request) => {
      await records.flush();
      const call = await store.get('calls', { id: request.params.id });
      if (!call) throw notFound('id', `There is no recorded call ${request.params.id}. Calls are kept for CALL_RETENTION_HOURS.`);
      const [named] = await withNames(store, [call]);
      return { data: viewCall(named as NamedCall) };
    },
  });
}
