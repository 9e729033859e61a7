import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { timeOfId } from '../../base/ids.ts';
import type { CallApi } from '../../store/tables/operating.ts';
import type { EndedCall } from './call.ts';

declare module 'fastify' {
  interface FastifyRequest {
    sentBody: string | null;
    /** True for a caller's calls that only read and are not recorded. Known once the caller is identified. */
    unrecorded: boolean;
    /** The client's address, read at the start, because the connection may be closed after the reply. */
    address: string;
    /** True once the call has been passed to the sinks. */
    recordingDone: boolean;
  }
  interface FastifyContextConfig {
    /** False for probes and pages, which would crowd out the calls. */
    recorded?: boolean;
  }
}

/** Receives each recorded call once, when it ended. The request is for reading only, and must not be kept. */
export type CallSink = (call: EndedCall, request: FastifyRequest) => void;

export interface RecordOptions {
  sinks: readonly CallSink[];
  apiOf(path: string): CallApi;
  /** Called for every call that ended, also for those that are not recorded. */
  onEnded?: ((call: EndedCall) => void) | undefined;
  /** Also records calls whose reply was never finished. Costs one event listener per call. Default false. */
  unfinished?: boolean | undefined;
}

/** Records every call, including those refused with 401, 404, 413 or 429. */
export function recordCalls(app: FastifyInstance, options: RecordOptions): void {
  const { unfinished = false } = options;
  app.decorateRequest('sentBody', null);
  app.decorateRequest('address', '');
  app.decorateRequest('unrecorded', false);
  app.decorateRequest('recordingDone', false);

  app.addHook('onRequest', (request, reply, done) => {
    request.address = request.ip ?? 'unknown';
    reply.header('x-request-id', request.id);
    // Fastify runs no onResponse hook for a reply that is cut off, or that never begins.
    if (unfinished) reply.raw.once('close', () => endCall(request, reply, options));
    done();
  });
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (typeof payload === 'string') request.sentBody = payload;
    done(null, payload);
  });
  app.addHook('onResponse', (request, reply, done) => {
    endCall(request, reply, options);
    done();
  });
}

function endCall(request: FastifyRequest, reply: FastifyReply, { sinks, apiOf, onEnded }: RecordOptions): void {
  if (request.recordingDone) return;
  request.recordingDone = true;
  // Each access to `routeOptions` makes a new object.
  const { config, schema } = request.routeOptions;
  const call = endedCall(request, reply, { api: apiOf(request.url), operation: schema?.operationId ?? null });
  onEnded?.(call);
  if (config?.recorded === false || request.unrecorded) return;
  for (const sink of sinks) sink(call, request);
}

function endedCall(request: FastifyRequest, reply: FastifyReply, of: Pick<EndedCall, 'api' | 'operation'>): EndedCall {
  const { elapsedTime } = reply;
  return {
    id: request.id,
    // Filters by time compare ids.
    atMs: timeOfId(request.id),
    api: of.api,
    operation: of.operation,
    caller: request.caller?.id ?? null,
    ip: request.address,
    method: request.method,
    url: request.originalUrl,
    replied: reply.raw.headersSent,
    status: reply.statusCode,
    durationMs: Math.round(elapsedTime * 1000) / 1000,
    errorCode: request.refusal?.code ?? null,
    limitState: request.limitState,
    requestHeaders: request.headers,
    requestBody: request.rawBody ?? unreadNote(request),
    responseHeaders: reply.getHeaders(),
    responseBody: request.sentBody,
  };
}

/** What a record shows in place of a body that was sent and not read; null if there was none. */
function unreadNote({ headers }: FastifyRequest): string | null {
  const length = Number(headers['content-length'] ?? 0);
  if (length > 0) return `… [not read: ${length} bytes]`;
  return headers['transfer-encoding'] === undefined ? null : '… [not read]';
}
