import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Row } from '../store/tables.ts';
import { storable } from '../text.ts';
import type { Recorder } from './recorder.ts';
import { redactBody, redactHeaders, redactPath } from './redact.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The reply's body as sent, for the record. */
    sentBody: string | null;
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
  apiOf(path: string): string;
  /** How many characters of a body are kept. */
  bodyCharacters: number;
  /** Told of every call that ended, recorded or not. */
  ended(call: { id: string; api: string; operation: string; status: number; durationMs: number }): void;
}

/** Records every call, also those refused with 401, 404, 413 or 429. The record is written later, in a batch. */
export function recordCalls(app: FastifyInstance, options: RecordOptions): void {
  app.decorateRequest('sentBody', null);
  app.decorateRequest('address', '');
  app.addHook('onRequest', async (request, reply) => {
    request.address = request.ip ?? 'unknown';
    reply.header('x-request-id', request.id);
  });
  app.addHook('onSend', async (request, _reply, payload) => {
    if (typeof payload === 'string') request.sentBody = payload;
  });
  app.addHook('onResponse', async (request, reply) => {
    const api = options.apiOf(request.url);
    const operation = request.routeOptions.schema?.operationId ?? null;
    options.ended({
      id: request.id,
      api,
      operation: operation ?? 'unknown',
      status: reply.statusCode,
      durationMs: reply.elapsedTime,
    });
    if (request.routeOptions.config?.recorded === false) return;
    const endedAt = Date.now();
    // What is costly (redacting, cutting) waits until the batch is written.
    options.recorder.push({
      bytes: sizeOf(request),
      row: () => callRow(request, reply, { api, operation, endedAt }, options.bodyCharacters),
    });
  });
}

function sizeOf(request: FastifyRequest): number {
  return 1024 + (request.rawBody?.length ?? 0) + (request.sentBody?.length ?? 0);
}

function callRow(
  request: FastifyRequest,
  reply: FastifyReply,
  { api, operation, endedAt }: { api: string; operation: string | null; endedAt: number },
  bodyCharacters: number,
): Row<'calls'> {
  const bodyOf = (body: string | null) => (body === null ? null : storable(cut(redactBody(body), bodyCharacters)));
  return {
    id: request.id,
    at: Math.round(endedAt - reply.elapsedTime),
    api,
    operation,
    caller: request.caller?.id ?? null,
    ip: request.address,
    method: request.method,
    path: storable(cut(redactPath(request.originalUrl), 2048)),
    status: reply.statusCode,
    duration_ms: Math.round(reply.elapsedTime * 1000) / 1000,
    error_code: request.refusal?.code ?? null,
    limit_state: request.limitState,
    request_headers: redactHeaders(request.headers),
    request_body: bodyOf(request.rawBody),
    response_headers: redactHeaders(reply.getHeaders()),
    response_body: bodyOf(request.sentBody),
  };
}

function cut(text: string, characters: number): string {
  return text.length <= characters ? text : `${text.slice(0, characters)}… [cut here: ${text.length} characters in all]`;
}
