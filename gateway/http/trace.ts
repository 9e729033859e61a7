import type { FastifyInstance } from 'fastify';
import { noTracing, readTraceparent, type Span, type Tracing, underTrace } from '../base/tracing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    span: Span | null;
  }
}

/**
 * Makes a span of each call, under the `traceparent` that its caller sent. The events of the call belong to its trace.
 * Attributes: the semantic conventions of OpenTelemetry for HTTP servers.
 */
export function traceCalls(app: FastifyInstance, tracing: Tracing): void {
  if (tracing === noTracing) {
    app.addHook('preHandler', ({ headers }, _reply, done) => underTrace(readTraceparent(headers.traceparent), done));
    return;
  }
  app.decorateRequest('span', null);
  app.addHook('onRequest', (request, _reply, done) => {
    request.span = tracing.begin('call', { name: request.method, parent: readTraceparent(request.headers.traceparent) });
    done();
  });
  // Not earlier: the events of the body's stream would run outside the trace.
  app.addHook('preHandler', (request, _reply, done) => underTrace(request.span?.traceparent ?? null, done));
  app.addHook('onResponse', (request, reply, done) => {
    const { url: route } = request.routeOptions;
    const status = reply.statusCode;
    request.span?.end(() => ({
      name: route === undefined ? request.method : `${request.method} ${route}`,
      attributes: {
        'http.request.method': request.method,
        'http.response.status_code': status,
        'url.path': request.url.split('?', 1)[0] as string,
        ...(route === undefined ? {} : { 'http.route': route }),
        'passerelle.call.id': request.id,
        ...(request.refusal ? { 'error.type': request.refusal.code } : {}),
      },
      error: status >= 500 ? `Status ${status}` : undefined,
    }));
    done();
  });
}
