import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { EndedCall } from '../../gateway/http/record/call.ts';
import type { CallSink } from '../../gateway/http/record/record.ts';
import type { AppliedFault } from '../faults/applied.ts';
import { bodyTextOf, isUnread, readUnread } from '../request-body.ts';
import type { RecordedCall } from './call.ts';
import type { Journal, UnreadCall } from './journal.ts';

type Skip = (request: FastifyRequest) => boolean;

/** Records calls in the journal, except those for which `skip` returns true. */
export const journalSink =
  (journal: Journal, skip: Skip = () => false): CallSink =>
  (call, request) => {
    if (!skip(request)) journal.record(new ReceivedCall(call, request));
  };

/** Reads bodies that were not parsed, such as the body of a call refused with 401, so that the journal can show them. */
export function keepUnreadBodies(app: FastifyInstance, skip: Skip = () => false): void {
  app.addHook('onSend', (request, _reply, payload, done) => {
    const reading = isUnread(request) && !skip(request) ? readUnread(request) : undefined;
    if (reading) void reading.then(() => done(null, payload));
    else done(null, payload);
  });
}

/** A call of a stub until somebody reads it. It shares the recording with `/manage/v1/calls`, and keeps no request. */
class ReceivedCall implements UnreadCall {
  readonly requestBody: string;
  readonly responseBody: string;
  readonly #call: EndedCall;
  readonly #query: unknown;
  readonly #refusal: RecordedCall['refusal'];
  readonly #fault: AppliedFault | null | undefined;

  constructor(call: EndedCall, request: FastifyRequest) {
    const { refusal, query } = request;
    const fault = request.fault as AppliedFault | null | undefined;
    this.requestBody = bodyTextOf(request);
    this.responseBody = call.replied ? (fault?.sentBody ?? call.responseBody ?? '') : '';
    this.#call = call;
    this.#query = query;
    this.#refusal = refusal ? { code: refusal.code, message: refusal.message } : undefined;
    this.#fault = fault;
  }

  read(): RecordedCall {
    const { id, atMs, operation, method, url, replied, status, durationMs, requestHeaders, responseHeaders } = this.#call;
    const [refusal, fault] = [this.#refusal, this.#fault];
    return {
      id,
      method,
      url,
      durationMs,
      at: new Date(atMs).toISOString(),
      path: url.split('?', 1)[0] ?? '',
      query: this.#query as Record<string, unknown>,
      ...(operation !== null && { operation }),
      requestHeaders: requestHeaders as RecordedCall['requestHeaders'],
      requestBody: this.requestBody,
      status: replied ? status : 0,
      // Without a reply of the app, the connection ended before the work.
      ...(!replied && fault && this.#call.responseBody !== null && { keptBack: status }),
      responseHeaders: (replied ? responseHeaders : {}) as RecordedCall['responseHeaders'],
      responseBody: this.responseBody,
      ...(refusal && { refusal }),
      ...(fault && { fault: fault.name }),
      ...(fault && fault.rules.length > 0 && { faultRules: fault.rules }),
    };
  }
}
