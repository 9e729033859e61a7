import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * Serves the paths under `prefix` by an app of its own. `open` builds it at the first call, so that a start does
 * not load what is seldom used. That app gets the calls untouched, and records them itself.
 */
export function serveLate(app: FastifyInstance, prefix: string, open: () => Promise<FastifyInstance>): void {
  let opened: Promise<FastifyInstance> | undefined;
  const openAndReady = async () => {
    const inner = await open();
    await inner.ready();
    return inner;
  };
  const handOver = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.hijack();
    opened ??= openAndReady();
    try {
      (await opened).routing(request.raw, reply.raw);
    } catch (error) {
      // The next call tries again.
      opened = undefined;
      request.log.error({ err: error, callId: request.id }, 'call.failed');
      reply.raw.writeHead(500).end();
    }
  };
  for (const url of [prefix, `${prefix}/*`]) app.all(url, { config: { recorded: false }, onRequest: handOver }, () => {});
  app.addHook('onClose', async () => (await opened)?.close());
}
