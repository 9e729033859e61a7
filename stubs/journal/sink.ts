import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { EndedCall } from '../../gateway/http/record/call.ts';
import type { CallSink } from '../../gateway/http/record/record.ts';
import type { AppliedFault } from '../faults/applied.ts';
import { bodyTextOf, readUnread } from '../request-body.ts';
import type { RecordedCall } from './call.ts';
import type { Journal } from './journal.ts';

type Skip = (request: FastifyRequest) => boolean;

/** Records calls in the journal, except those for which `skip` returns true. */
export const journalSink =
  (journal: Journal, skip: Skip = () => false): CallSink =>
  (call, request) => {
    if (!skip(request)) journal.record(received(call, request));
  };

/** Reads bodies that were not parsed, such as the body of a call refused with 401, so that the journal can show them. */
export function keepUnreadBodies(app: FastifyInstance, skip: Skip = () => false): void {
  app.addHook('onSend', (request, _reply, payload, done) => {
    const reading = skip(request) ? undefined : readUnread(request);
    if (reading) void reading.then(() => done(null, payload));
    else done(null, payload);
  });
}

function received(call: EndedCall, request: FastifyRequest): RecordedCall {
  const { id, operation, method, url, replied, durationMs, requestHeaders } = call;
  const { refusal } = request;
  const fault = request.fault as AppliedFault | null | undefined;
  return {
    ...{ id, method, url, durationMs },
    at: new Date(call.atMs).toISOString(),
    path: url.split('?', 1)[0] ?? '',
    query: request.query as Record<string, unknown>,
    ...(operation !== null && { operation }),
    requestHeaders: requestHeaders as RecordedCall['requestHeaders'],
    requestBody: bodyTextOf(request),
    status: replied ? call.status : 0,
    responseHeaders: (replied ? call.responseHeaders : {}) as RecordedCall['responseHeaders'],
    responseBody: replied ? (fault?.sentBody ?? call.responseBody ?? '') : '',
    ...(refusal && { refusal: { code: refusal.code, message: refusal.message } }),
    ...(fault && { fault: fault.name }),
    ...(fault && fault.rules.length > 0 && { faultRules: fault.rules }),
  };
}
