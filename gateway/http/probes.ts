import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../metrics.ts';

/** `/healthz` (the process lives), `/readyz` (it can work, or what it cannot reach), `/metrics` (Prometheus). */
export function serveProbes({ metrics, notReady }: { metrics: Metrics; notReady(): Promise<Record<string, string>> }) {
  return async (app: FastifyInstance): Promise<void> => {
    const config = { recorded: false };
    app.get('/healthz', { config }, async () => ({ status: 'ok' }));
    app.get('/readyz', { config }, async (_request, reply) => {
      const missing = await notReady();
      if (Object.keys(missing).length === 0) return { status: 'ready' };
      return reply.code(503).send({ status: 'not ready', notReady: missing });
    });
    app.get('/metrics', { config }, async (_request, reply) =>
      reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
    );
  };
}
