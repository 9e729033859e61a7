import { z } from 'zod';
import { notFound } from '../errors.ts';
import type { App, Services } from '../http/api.ts';
import { instant, searchText, text, toInstant } from '../http/fields.ts';
import { page, pageOf, pageQuery } from '../http/page.ts';
import type { Recorder } from '../http/recorder.ts';
import { firstIdAt } from '../ids.ts';
import type { Where } from '../store/port.ts';
import type { Row } from '../store/tables.ts';

const headers = z.record(z.string(), z.unknown());

const callSummary = z.object({
  id: z.string().describe('Also in the reply header `x-request-id`.'),
  at: instant(),
  api: z.enum(['pos', 'cohesion', 'manage', 'gateway']),
  operation: z.string().nullable().describe('Null where no operation has this path.'),
  caller: z
    .string()
    .nullable()
    .describe('`account:ID`, `token:ID`, `operator:NAME` or `operator` (the own token); null where none was identified.'),
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

const query = z.strictObject({
  ...pageQuery,
  api: z.enum(['pos', 'cohesion', 'manage', 'gateway']).optional(),
  operation: text(100).optional(),
  caller: text(100).optional(),
  status: z
    .string()
    .regex(/^([1-5]xx|[1-5][0-9]{2})$/, 'must be a status such as 404 or a class such as 4xx')
    .optional(),
  q: searchText().optional().describe('Text in the path, the request body or the response body; upper and lower case differ.'),
  from: z.iso.datetime({ offset: true }).optional().describe('Calls from this instant on.'),
  until: z.iso.datetime({ offset: true }).optional().describe('Calls before this instant.'),
});

/** Text is searched page by page: at most this many calls are read for one answer. */
const searchedAtMost = 5000;
const searchBatch = 500;

export function callRoutes(app: App, services: Services, recorder: Recorder): void {
  app.route({
    method: 'GET',
    url: '/calls',
    schema: {
      operationId: 'listCalls',
      tags: ['Calls'],
      summary: 'Recorded calls, newest first',
      description:
        'Every call that ended before this one, but for those counted in `recorder.lost`, and for what a session of the console only read (GET), which would drown the others.',
      querystring: query,
      response: {
        200: pageOf(callSummary).extend({
          recorder: z.object({
            backlog: z.number().int(),
            lost: z.number().int().describe('Records dropped under overload since the start.'),
          }),
        }),
      },
    },
    handler: async (request) => {
      await recorder.flush();
      const { data, next } = await searchCalls(services, request.query);
      return { data: data.map(summaryOf), next, recorder: recorder.state };
    },
  });

  app.route({
    method: 'GET',
    url: '/calls/:id',
    schema: {
      operationId: 'readCall',
      tags: ['Calls'],
      summary: 'One call: request and response with headers and bodies, secrets redacted',
      params: z.object({ id: text(100) }),
      response: { 200: z.object({ data: callDetail }) },
    },
    handler: async (request) => {
      await recorder.flush();
      const call = await services.store.get('calls', { id: request.params.id });
      if (!call)
        throw notFound(
          'id',
          `There is no recorded call ${request.params.id}. Records are kept for the time that CALL_RETENTION_HOURS says.`,
        );
      return { data: { ...call, ...summaryOf(call) } };
    },
  });
}

async function searchCalls(
  { store }: Services,
  input: z.output<typeof query>,
): Promise<{ data: Row<'calls'>[]; next: string | null }> {
  const { limit, q } = input;
  const read = (before: string | undefined, rows: number) =>
    store.list('calls', { where: conditions(input, before), order: [['id', 'desc']], limit: rows });
  if (!q) return page(await read(input.cursor, limit + 1), limit);

  const found: Row<'calls'>[] = [];
  let before = input.cursor;
  for (let searched = 0; searched < searchedAtMost; searched += searchBatch) {
    const batch = await read(before, searchBatch);
    found.push(...batch.filter((call) => [call.path, call.request_body, call.response_body].some((text) => text?.includes(q))));
    if (found.length > limit) return page(found, limit);
    if (batch.length < searchBatch) return page(found, limit);
    before = batch.at(-1)?.id;
  }
  // Not at the end yet: the caller goes on from here, even where this stretch held nothing.
  return { data: found, next: before ?? null };
}

function conditions(input: z.output<typeof query>, before: string | undefined): Where<'calls'> {
  const ids: { gte?: string; lt?: string } = {};
  if (input.from) ids.gte = firstIdAt('call', Date.parse(input.from));
  const ends = [before, input.until && firstIdAt('call', Date.parse(input.until))].filter((end) => end !== undefined);
  if (ends.length > 0) ids.lt = ends.sort()[0] as string;
  return { id: ids, api: input.api, operation: input.operation, caller: input.caller, status: statusCondition(input.status) };
}

function statusCondition(status: string | undefined): Where<'calls'>['status'] {
  if (status === undefined) return undefined;
  if (!status.endsWith('xx')) return Number(status);
  const first = Number(status[0]) * 100;
  return { gte: first, lt: first + 100 };
}

const summaryOf = (call: Row<'calls'>) => ({ ...call, at: toInstant(call.at), api: call.api as 'pos' });
