import { Readable } from 'node:stream';
import { z } from 'zod';
import { notFound } from '../../base/errors.ts';
import type { App, Services } from '../../http/api.ts';
import { instant, moment, searchText, text, toInstant } from '../../http/fields.ts';
import { pageQuery, searchedPageOf } from '../../http/page.ts';
import { callFilters } from '../../http/record/filters.ts';
import { harText } from '../../http/record/har.ts';
import type { CallRecords } from '../../http/record/recorder.ts';
import type { Row } from '../../store/tables/index.ts';
import { callApis } from '../../store/tables/operating.ts';
import { callsToExport, exchangesOf, maxExported } from './export.ts';
import { listCalls } from './queries.ts';

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
  ip: z.string(),
  method: z.string(),
  path: z.string(),
  status: z.number().int(),
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

const archive = z
  .object({
    log: z.object({
      version: z.literal('1.2'),
      creator: z.object({ name: z.string(), version: z.string() }),
      entries: z.array(z.record(z.string(), z.unknown())).describe('One HAR 1.2 entry per call.'),
    }),
  })
  .describe('http://www.softwareishard.com/blog/har-12-spec/');

const filters = {
  id: text(100).optional().describe('Only this call.'),
  api: z.enum(callApis).optional(),
  operation: text(100).optional(),
  caller: text(100).optional(),
  ip: text(100).optional().describe("The client's address."),
  method: callFilters.method.optional(),
  status: callFilters.status.optional(),
  error_code: text(100).optional().describe('Why it was refused, such as `not_found`.'),
  limited: z
    .literal('true')
    .transform(() => true)
    .optional()
    .describe('Only calls that a limit refused (429).'),
  q: searchText().optional().describe('Text in the path, the request body or the response body, case-sensitive.'),
  from: moment().optional().describe('Calls from this instant on.'),
  until: moment().optional().describe('Calls before this instant.'),
};

/** Other lists call `until` `to`. */
const filterOf = <I extends { until?: number | undefined }>({ until, ...rest }: I) => ({ ...rest, to: until });

export function callRoutes(app: App, services: Services, records: CallRecords): void {
  listRoute(app, services, records);
  exportRoute(app, services, records);
  readRoute(app, services, records);
}

function listRoute(app: App, { store }: Services, records: CallRecords): void {
  app.route({
    method: 'GET',
    url: '/calls',
    schema: {
      operationId: 'listCalls',
      tags,
      summary: 'Recorded calls, newest first',
      description:
        'Every call that ended before this one, except those counted in `recorder.lost`, and GET calls of console sessions, which would crowd out the others.',
      querystring: z.strictObject({ ...pageQuery, ...filters }),
      response: {
        200: searchedPageOf(callSummary).extend({
          recorder: z.object({
            backlog: z.number().int(),
            lost: z.number().int().describe('Records dropped since the start, because too many waited to be stored.'),
          }),
        }),
      },
    },
    handler: async ({ query }) => {
      await records.flush();
      const { data, next, stopped } = await listCalls(store, filterOf(query));
      const searched_to = stopped && toInstant(stopped.at);
      return { data: data.map(summaryOf), next, searched_to, recorder: records.state };
    },
  });
}

function exportRoute(app: App, { store }: Services, records: CallRecords): void {
  app.route({
    method: 'GET',
    url: '/calls/export.har',
    schema: {
      operationId: 'exportCalls',
      tags,
      summary: 'Recorded calls as an HTTP Archive (HAR 1.2), newest first',
      description:
        `At most ${maxExported} calls, with the filters of \`GET /calls\`; secrets are redacted. A search that few calls match ` +
        "stops after a limited number of calls: narrow it with `from` and `until`. Browsers' developer tools open the file.",
      querystring: z.strictObject(filters),
      response: { 200: archive },
    },
    handler: async ({ query, protocol, host }, reply) => {
      await records.flush();
      const blocks = await callsToExport(store, filterOf(query));
      const text = harText(exchangesOf(blocks, { protocol, host }));
      return reply
        .type('application/json; charset=utf-8')
        .header('content-disposition', 'attachment; filename="calls.har"')
        .send(Readable.from(text) as never);
    },
  });
}

function readRoute(app: App, { store }: Services, records: CallRecords): void {
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
      return { data: { ...call, ...summaryOf(call) } };
    },
  });
}

const summaryOf = (call: Row<'calls'>) => ({ ...call, at: toInstant(call.at) });
