import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../metrics.ts';
import type { Readiness } from '../readiness.ts';

/** `/healthz` (the process lives), `/readyz` (it can work, or what it cannot reach), `/metrics` (Prometheus). */
export function serveProbes({ metrics, readiness }: { metrics?: Metrics | undefined; readiness(): Promise<Readiness> }) {
  return async (app: FastifyInstance): Promise<void> => {
    const config = { recorded: false };
    app.get('/healthz', { config }, async () => ({ status: 'ok' }));
    app.get('/readyz', { config }, async (_request, reply) => {
      const { notReady, degraded } = await readiness();
      if (Object.keys(notReady).length > 0) return reply.code(503).send({ status: 'not ready', notReady });
      return { status: 'ready', ...(Object.keys(degraded).length > 0 ? { degraded } : {}) };
    });
    if (!metrics) return;
    app.get('/metrics', { config }, async (_request, reply) =>
      reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
    );
  };
}
