import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { Refusal } from '../../gateway/base/errors.ts';
import type { App } from '../../gateway/http/api.ts';
import { callFilters } from '../../gateway/http/record/filters.ts';
import { ofEveryCall } from '../../gateway/http/reply-headers.ts';
import type { RecordedCall } from '../journal/call.ts';
import { type CallFilter, matches } from '../journal/filter.ts';
import { curlOf } from '../journal/shown.ts';
import type { OperationName } from '../names.ts';
import { isCallId } from '../options.ts';
import type { ControlParts } from './parts.ts';

type Parts = Pick<ControlParts, 'stub' | 'journal' | 'closing'>;

const limit = z.coerce
  .number('must be a number')
  .int('must be a whole number')
  .min(1, 'must be at least 1')
  .exactOptional()
  .describe('The newest of them, this many.');

const callQuery = z.object({
  operation: z.string().exactOptional().describe('An operationId.'),
  method: callFilters.method.exactOptional().describe('Such as POST.'),
  path: z.string().exactOptional().describe('The path of the request.'),
  status: callFilters.status.exactOptional().describe('A status such as 404, or a class such as 4xx.'),
  id: z.string().exactOptional().describe('The id of a call: only this one.'),
});

const listQuery = callQuery.extend({
  after: z.string().exactOptional().describe('The id of a call: only later ones.'),
  limit,
  brief: z.enum(['true', 'false']).exactOptional().describe('Without headers and bodies.'),
});

const filterOf = ({ id, status, ...rest }: z.output<typeof callQuery>) =>
  ({
    ...rest,
    ...(status !== undefined && { status: status.endsWith('xx') ? status : Number(status) }),
    ...(id !== undefined && { where: (call: RecordedCall) => call.id === id }),
  }) as CallFilter<OperationName>;

/** A call without its headers and bodies, for lists that are read often. */
const briefly = ({ requestHeaders: _1, requestBody: _2, responseHeaders: _3, responseBody: _4, ...call }: RecordedCall) => call;

/** The number of characters that may wait for a reader of a stream, who is sent away beyond it. */
const mostUnsent = 16 * 1024 * 1024;

/** Sends the kept calls that match, then each as it ends: a line of JSON each. A reset ends nothing. */
function streamCalls(reply: FastifyReply, { journal, closing }: Parts, filter: CallFilter): void {
  // Throws for a wrong filter, while it can be answered.
  const before = journal.calls(filter);
  const { raw } = reply.hijack();
  raw.writeHead(200, { ...ofEveryCall, 'content-type': 'application/x-ndjson' });
  raw.flushHeaders();
  const send = (call: RecordedCall) => {
    raw.write(`${JSON.stringify(call)}\n`);
    if (raw.writableLength > mostUnsent) raw.destroy();
  };
  for (const call of before) send(call);
  const unsubscribe = journal.subscribe((call) => {
    if (matches(call, filter)) send(call);
  });
  const end = () => raw.end();
  closing.addEventListener('abort', end);
  raw.once('close', () => {
    unsubscribe();
    closing.removeEventListener('abort', end);
  });
}

/** The routes for calls. */
export function callRoutes(app: App, parts: Parts): void {
  const { stub, journal } = parts;
  const response = { 200: z.unknown() };
  app.get('/calls', { schema: { summary: 'Calls received, oldest first', querystring: listQuery } }, async ({ query }) => {
    const { after, limit: most = Number.POSITIVE_INFINITY, brief, ...filter } = query;
    if (after !== undefined && !isCallId(after))
      throw new Refusal('invalid', 'not_an_id', `after: ${JSON.stringify(after)} is not the id of a call, such as call_019a...`);
    const calls = journal.calls(filterOf(filter));
    // An unknown id is that of a call before a reset: all calls came later.
    const found = calls.slice(Math.max(calls.findIndex(({ id }) => id === after) + 1, calls.length - most));
    return { data: brief === 'true' ? found.map(briefly) : found };
  });
  const stream = { summary: 'The calls received, then each as it ends: a line of JSON each', querystring: callQuery, response };
  app.get('/calls/stream', { schema: stream }, async ({ query }, reply) => streamCalls(reply, parts, filterOf(query)));
  const curl = { summary: 'The calls as curl lines, without secrets', querystring: callQuery, response };
  app.get('/calls/curl', { schema: curl }, async ({ query }, reply) => {
    const lines = journal.calls(filterOf(query)).map((call) => `${curlOf(call, journal)}\n`);
    return reply.type('text/plain; charset=utf-8').send(lines.join(''));
  });
  const har = { summary: 'The calls as HTTP Archive 1.2, without secrets', querystring: callQuery, response };
  app.get('/calls/har', { schema: har }, async ({ query }) => stub.har({ filter: filterOf(query) }));
  app.delete('/calls', { schema: { summary: 'Forget the calls received' } }, async () => {
    stub.clearCalls();
    return { data: [] };
  });
}
