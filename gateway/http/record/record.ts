import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { storable } from '../../base/text.ts';
import type { Row } from '../../store/tables/index.ts';
import type { ApiName } from '../../store/tables/operating.ts';
import type { Recorder } from './recorder.ts';
import { redactBody, redactHeaders, redactPath } from './redact.ts';
import { Repeats } from './repeats.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The reply's body as sent, for the record. */
    sentBody: string | null;
    /** Not recorded, since it only looks: set once its caller is known. */
    unrecorded: boolean;
    /** The caller's address, read while the connection is there: after the reply it may be gone. */
    address: string;
  }
  interface FastifyContextConfig {
    /** False for probes and pages, which would drown the calls. */
    recorded?: boolean;
  }
}

export interface RecordOptions {
  recorder: Recorder;
  /** Which API a path belongs to. */
  apiOf(path: string): ApiName;
  /** How many characters of a body are kept. */
  bodyCharacters: number;
  /** Told of every call that ended, recorded or not. */
  ended(call: { id: string; api: string; operation: string; status: number; durationMs: number }): void;
}

/** Records every call, also those refused with 401, 404, 413 or 429. The record is written later, in a batch. */
export function recordCalls(app: FastifyInstance, options: RecordOptions): void {
  app.decorateRequest('sentBody', null);
  app.decorateRequest('address', '');
  app.decorateRequest('unrecorded', false);
  const repeats = options.recorder.keepsUnread ? new Repeats() : undefined;
  app.addHook('onRequest', (request, reply, done) => {
    request.address = request.ip ?? 'unknown';
    reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (typeof payload === 'string') request.sentBody = repeats?.text(nameOf(request), payload) ?? payload;
    done(null, payload);
  });
  app.addHook('onResponse', (request, reply, done) => {
    const ended = endedCall(request, reply, options.apiOf(request.url));
    if (repeats) ended.request_headers = repeats.headers(nameOf(request), request.headers);
    const { id, api, operation, status, duration_ms: durationMs } = ended;
    options.ended({ id, api, operation: operation ?? 'unknown', status, durationMs });
    if (request.routeOptions.config?.recorded !== false && !request.unrecorded) {
      const bytes = 1024 + (ended.request_body?.length ?? 0) + (ended.response_body?.length ?? 0);
      // What is costly (redacting, cutting) waits until the batch is written.
      options.recorder.push({ bytes, row: () => storableCall(ended, options.bodyCharacters) });
    }
    done();
  });
}

const nameOf = (request: FastifyRequest) => request.routeOptions.schema?.operationId ?? '';

/** The call as it was. Values only: holding the request itself until the batch is written would keep all it refers to. */
function endedCall(request: FastifyRequest, reply: FastifyReply, api: ApiName): Row<'calls'> {
  const { elapsedTime } = reply;
  return {
    id: request.id,
    at: Math.round(Date.now() - elapsedTime),
    api,
    operation: request.routeOptions.schema?.operationId ?? null,
    caller: request.caller?.id ?? null,
    ip: request.address,
    method: request.method,
    path: request.originalUrl,
    status: reply.statusCode,
    duration_ms: Math.round(elapsedTime * 1000) / 1000,
    error_code: request.refusal?.code ?? null,
    limit_state: request.limitState,
    request_headers: request.headers,
    request_body: request.rawBody,
    response_headers: reply.getHeaders(),
    response_body: request.sentBody,
  };
}

/** The call as it is stored: no secrets, nothing that the store refuses, nothing longer than is kept. */
function storableCall(call: Row<'calls'>, bodyCharacters: number): Row<'calls'> {
  const bodyOf = (body: string | null) => (body === null ? null : storable(cut(redactBody(body), bodyCharacters)));
  return {
    ...call,
    path: storable(cut(redactPath(call.path), 2048)),
    request_headers: redactHeaders(call.request_headers),
    request_body: bodyOf(call.request_body),
    response_headers: redactHeaders(call.response_headers),
    response_body: bodyOf(call.response_body),
  };
}

function cut(text: string, characters: number): string {
  return text.length <= characters ? text : `${text.slice(0, characters)}… [cut here: ${text.length} characters in all]`;
}
