import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isLoopback } from '../base/addresses.ts';
import { sameSecret } from '../base/keyring.ts';
import type { Metrics } from '../figures/metrics.ts';

/** The services that this process cannot reach, by name, each with the reason. */
export interface Readiness {
  /** Without these the process cannot work. */
  notReady: Record<string, string>;
  /** Without these the process works, but some of its work waits. */
  degraded: Record<string, string>;
}

/** What a process is, as `/healthz` says it. Commands send the operator's token only to a stub or a gateway. */
export type Program = 'gateway' | 'stub';

export interface ProbeOptions {
  program: Program;
  /** Without it there is no `/metrics`. */
  metrics?: Metrics;
  /** With it, callers beyond this machine may read `/metrics` too. */
  metricsToken?: string | undefined;
  readiness(): Promise<Readiness>;
}

/** Serves `/healthz` (the process is alive), `/readyz` (it can work) and `/metrics` (Prometheus). */
export function serveProbes({ program, metrics, readiness, metricsToken }: ProbeOptions) {
  return async (app: FastifyInstance): Promise<void> => {
    const config = { recorded: false };
    app.get('/healthz', { config }, async () => ({ status: 'ok', passerelle: program }));
    app.get('/readyz', { config }, async (_request, reply) => {
      const { notReady, degraded } = await readiness();
      if (Object.keys(notReady).length > 0) return reply.code(503).send({ status: 'not ready', notReady });
      return { status: 'ready', ...(Object.keys(degraded).length > 0 ? { degraded } : {}) };
    });
    if (!metrics) return;
    app.get('/metrics', { config }, async (request, reply) => {
      if (!mayRead(request, metricsToken)) return reply.code(401).header('www-authenticate', 'Bearer').send(unauthorized);
      return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
    });
  };
}

const unauthorized = {
  error: {
    code: 'metrics_token_missing',
    message: 'Send "Authorization: Bearer" with METRICS_TOKEN. The operator sets it.',
  },
};

function mayRead(request: FastifyRequest, token: string | undefined): boolean {
  if (isFromHere(request)) return true;
  const [scheme = '', sent = ''] = (request.headers.authorization ?? '').split(' ');
  return token !== undefined && scheme.toLowerCase() === 'bearer' && sameSecret(sent, token);
}

/** A proxy on this machine that is not named in TRUST_PROXY has a loopback address too, and forwards calls from anywhere. */
function isFromHere({ ip, headers }: FastifyRequest): boolean {
  const isForwarded = headers['x-forwarded-for'] ?? headers.forwarded ?? headers['x-real-ip'] ?? headers.via;
  return isLoopback(ip) && isForwarded === undefined;
}
