import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../figures/metrics.ts';

/** `/healthz` (the process lives), `/readyz` (it can work, or what it cannot reach), `/metrics` (Prometheus). */
/** What this process cannot reach, by name, and why: what stops its work, and what only delays it. */
export interface Readiness {
  notReady: Record<string, string>;
  degraded: Record<string, string>;
}

export interface ProbeOptions {
  metrics?: Metrics | undefined;
  readiness(): Promise<Readiness>;
}

export function serveProbes({ metrics, readiness }: ProbeOptions) {
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
