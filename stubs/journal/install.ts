import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Repeats } from '../../gateway/http/record/repeats.ts';
import { bodyTextOf, readUnread } from '../request-body.ts';
import type { RecordedCall } from './call.ts';
import type { Journal } from './journal.ts';

export interface InstallJournalOptions {
  /** The operation of a call that no route with an `operationId` answers, by method and path (without query). */
  operationOf?(method: string, path: string): string | undefined;
  /** Calls that are not kept. By default those of routes with `config.recorded: false`, the stub's own. */
  skip?(request: FastifyRequest): boolean;
}

const ownRoute = (request: FastifyRequest) =>
  (request.routeOptions.config as { recorded?: boolean } | undefined)?.recorded === false;

/** What the hooks note of a call until it ends. */
interface Noted {
  body?: string;
  error?: { code?: string; message: string };
}

declare module 'fastify' {
  interface FastifyRequest {
    noted: Noted | null;
  }
}

/**
 * Keeps every call of an app in the journal, also those that are refused, for unknown paths, reset or left by their
 * client. A call is kept when its reply has gone out, before its client can have read it. Install it before
 * `installFaults`, so that calls that a fault ends at once are seen.
 */
export function installJournal(app: FastifyInstance, journal: Journal, options: InstallJournalOptions = {}): void {
  const skip = options.skip ?? ownRoute;
  app.decorateRequest('noted', null);
  const repeats = new Repeats();

  const end = (request: FastifyRequest, reply: FastifyReply) => {
    const { noted } = request;
    if (!noted) return;
    request.noted = null;
    const call = endedCall(request, reply, noted, options);
    const name = call.operation ?? '';
    call.requestHeaders = repeats.headers(name, call.requestHeaders);
    call.responseBody = repeats.text(name, call.responseBody);
    journal.record(call);
  };

  app.addHook('onRequest', (request, reply, done) => {
    if (!skip(request)) {
      request.noted = {};
      // Fastify's onResponse is not run for a reply that was never ended.
      reply.raw.once('close', () => end(request, reply));
    }
    done();
  });
  app.addHook('onError', (request, _reply, error, done) => {
    if (request.noted) request.noted.error = error;
    done();
  });
  app.addHook('onSend', (request, _reply, payload, done) => {
    const { noted } = request;
    if (noted && typeof payload === 'string') noted.body = payload;
    const reading = noted ? readUnread(request) : undefined;
    if (reading) void reading.then(() => done(null, payload));
    else done(null, payload);
  });
  app.addHook('onResponse', (request, reply, done) => {
    end(request, reply);
    done();
  });
}

function endedCall(request: FastifyRequest, reply: FastifyReply, noted: Noted, options: InstallJournalOptions): RecordedCall {
  const { elapsedTime } = reply;
  const { method, originalUrl: url } = request;
  const queryAt = url.indexOf('?');
  const path = queryAt < 0 ? url : url.slice(0, queryAt);
  const operation = request.routeOptions.schema?.operationId ?? options.operationOf?.(method, path);
  // Decorations of the gateway's and of the faults', where they are there.
  const { refusal, fault } = request as {
    refusal?: Noted['error'] | null;
    fault?: { name: string; rules: string[]; sentBody?: string } | null;
  };
  const why = refusal ?? noted.error;
  const begun = reply.raw.headersSent;
  return {
    id: request.id,
    at: new Date(Date.now() - elapsedTime).toISOString(),
    method,
    path,
    url,
    query: request.query as Record<string, unknown>,
    ...(operation !== undefined && { operation }),
    requestHeaders: request.headers,
    requestBody: bodyTextOf(request),
    status: begun ? reply.statusCode : 0,
    responseHeaders: begun ? reply.getHeaders() : {},
    responseBody: begun ? (fault?.sentBody ?? noted.body ?? '') : '',
    durationMs: Math.round(elapsedTime * 1000) / 1000,
    ...(why && { refusal: { code: why.code, message: why.message } }),
    ...(fault && { fault: fault.name }),
    ...(fault && fault.rules.length > 0 && { faultRules: fault.rules }),
  };
}
