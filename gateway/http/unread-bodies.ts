import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** Requests that ask whether their body is wanted (RFC 9110, section 10.1.1), until somebody reads it. */
const asking = new WeakSet<IncomingMessage>();

/** How much of a body is read after its call was refused, and for how long. */
const usual = { bytes: 16 * 1024 * 1024, ms: 10_000 };

/**
 * Lets clients see a refusal that comes before all of their body was sent, such as 413 or 401. If the connection were closed, its
 * reset would reach the client while it still sends, and many clients then drop the reply. So the rest is read within bounds.
 * Must be called after all hooks that read bodies.
 */
export function readUnreadBodies(app: FastifyInstance, bounds = usual): void {
  app.addHook('onSend', ({ raw }, reply, payload, done) => {
    if (!raw.complete && !raw.readableEnded && raw.httpVersionMajor === 1 && hasBody(raw)) {
      // A client that still waits for "100 Continue" sends nothing, or closes the connection.
      if (asking.has(raw)) reply.header('connection', 'close');
      else if (readRest(raw, { ...bounds, closes: !reply.raw.shouldKeepAlive })) reply.header('connection', 'keep-alive');
    }
    done(null, payload);
  });
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Discards what follows. Node would close at once after a reply with `Connection: close`, so `closes` does it at the end. */
function readRest(raw: IncomingMessage, { bytes, ms, closes }: typeof usual & { closes: boolean }): boolean {
  const { socket } = raw;
  if (socket.destroyed) return false;
  const timer = setTimeout(() => socket.destroy(), ms).unref();
  let left = bytes;
  raw.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) socket.destroy();
  });
  raw.once('end', () => {
    clearTimeout(timer);
    if (closes) socket.end();
  });
  raw.once('close', () => clearTimeout(timer));
  raw.resume();
  return true;
}

/** Asks for a body with "100 Continue" only when it is read: a refusal before that saves the client from sending it. */
export function continueWhenRead(app: FastifyInstance): void {
  app.server.on('checkContinue', (request: IncomingMessage, reply) => {
    asking.add(request);
    app.server.emit('request', request, reply);
  });
  app.addHook('preParsing', (request, reply, payload, done) => {
    const { raw } = request;
    if (raw.headers.expect !== undefined && asking.has(raw) && isWithin(raw, request.routeOptions.bodyLimit)) {
      asking.delete(raw);
      reply.raw.writeContinue();
    }
    done(null, payload);
  });
}

const isWithin = ({ headers }: IncomingMessage, bodyLimit = Number.POSITIVE_INFINITY): boolean =>
  Number(headers['content-length'] ?? 0) <= bodyLimit;
