import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../figures/metrics.ts';

/** The services that this process cannot reach, by name, each with the reason. */
export interface Readiness {
  /** Without these the process cannot work. */
  notReady: Record<string, string>;
  /** Without these the process works, but some of its work waits. */
  degraded: Record<string, string>;
}

export interface ProbeOptions {
  /** Without it there is no `/metrics`. */
  metrics?: Metrics;
  readiness(): Promise<Readiness>;
}

/** Serves `/healthz` (the process is alive), `/readyz` (it can work) and `/metrics` (Prometheus). */
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
