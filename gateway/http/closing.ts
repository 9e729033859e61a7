import { Server, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const closeIdleEveryMs = 50;
/** A client that has connected just before the stop has sent its call by then. */
const unusedGraceMs = 1000;
/** A proxy that has kept a connection idle for so long hardly sends on it at the very moment of the stop. */
const proxyGraceMs = 2000;

/**
 * Closes each connection when its last call ends. Node closes only the connections that are idle at the moment of the
 * stop; one with a call in flight would then be kept alive for its client, and delay the stop by 72 s.
 *
 * Browsers open connections before they have something to ask. Node does not count one that was never used as idle, and its own
 * limit for such a client ends with the stop, which would then take as long as the browser runs.
 *
 * Behind a proxy, idle connections are kept open for a while: the proxy may be sending a call on one of them, which would be
 * reset. New connections are refused at once, so the proxy sends other calls to another gateway.
 */
export function closeGracefully(app: FastifyInstance, { isBehindProxy }: { isBehindProxy: boolean }): void {
  let isClosing = false;
  let idle: NodeJS.Timeout | undefined;
  let grace: NodeJS.Timeout | undefined;
  /** By the client's address, which a TLS connection shares with the connection below it. */
  const unused = new Map<string, Socket>();
  app.server.on('connection', (socket: Socket) => {
    const client = addressOf(socket);
    unused.set(client, socket);
    socket.once('close', () => {
      if (unused.get(client) === socket) unused.delete(client);
    });
  });
  app.addHook('onRequest', (request, _reply, done) => {
    unused.delete(addressOf(request.socket));
    done();
  });
  app.addHook('preClose', async () => {
    isClosing = true;
    if (isBehindProxy) await connectionsEnd(app.server as Server);
    idle = setInterval(() => {
      if ('closeIdleConnections' in app.server) app.server.closeIdleConnections();
    }, closeIdleEveryMs);
    grace = setTimeout(() => {
      for (const socket of unused.values()) socket.destroy();
    }, unusedGraceMs);
  });
  app.addHook('onClose', async () => {
    clearInterval(idle);
    clearTimeout(grace);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    // The client then sends no more calls on this connection. HTTP/2 has a frame for it and forbids the header.
    if (isClosing && request.raw.httpVersionMajor === 1) reply.header('connection', 'close');
    done(null, payload);
  });
}

const addressOf = ({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string =>
  `${remoteAddress} ${remotePort}`;

/** Stops listening. Resolves when all connections have ended, at the latest when the grace is over. */
const connectionsEnd = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, proxyGraceMs);
    // Not the method of a HTTP server, which closes idle connections.
    Server.prototype.close.call(server, () => {
      clearTimeout(timer);
      resolve();
    });
  });
