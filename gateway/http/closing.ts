import type { FastifyInstance } from 'fastify';

const lookEveryMs = 50;

/**
 * Ends connections as their last call does. Closing a server ends the connections that are idle in that moment only: one
 * with a call in flight would be kept for its client afterwards, and the stop would wait for it (72 s).
 */
export function closeGently(app: FastifyInstance): void {
  let look: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    look = setInterval(() => {
      if ('closeIdleConnections' in app.server) app.server.closeIdleConnections();
    }, lookEveryMs);
  });
  app.addHook('onClose', async () => clearInterval(look));
  app.addHook('onSend', async (request, reply) => {
    // Told in time, a client sends nothing more on this connection. HTTP/2 says it in a way of its own.
    if (look !== undefined && request.raw.httpVersionMajor === 1) reply.header('connection', 'close');
  });
}
