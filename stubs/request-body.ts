import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const maxBytes = 256 * 1024;
const unparsedBodies = new WeakMap<IncomingMessage, string>();
/** Bodies that were read before their app began. */
const bodiesAhead = new WeakMap<IncomingMessage, Buffer>();

/** Returns true if a call has a body that nobody read. */
export function isUnread({ raw }: FastifyRequest): boolean {
  if (raw.readableDidRead || raw.destroyed) return false;
  return raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length'] ?? 0) > 0;
}

/**
 * Reads the body of a call that was refused before its body was parsed, so that the journal can show it. Keeps at most
 * 256 KiB, and does not wait for the rest. Returns undefined if there is nothing to read.
 */
export function readUnread(request: FastifyRequest): Promise<void> | undefined {
  const { raw } = request;
  if (!isUnread(request)) return undefined;
  return beginningOf(raw, maxBytes).then(() => void raw.resume());
}

/**
 * Reads a body before an app begins, which then gets it as if nobody had read it (`takeBodiesAhead`). If a body is larger than
 * `mostBytes`, the app refuses it, and the rest stays unread.
 */
export async function readAhead(raw: IncomingMessage, mostBytes: number): Promise<string> {
  const body = await beginningOf(raw, mostBytes);
  bodiesAhead.set(raw, body);
  return body.toString();
}

/** Reads a body until its end, or until it is larger than `mostBytes`. The journal shows what was read. */
function beginningOf(raw: IncomingMessage, mostBytes: number): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const keep = (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > mostBytes) finish();
    };
    const finish = () => {
      for (const event of ends) raw.off(event, finish);
      raw.off('data', keep).pause();
      const body = Buffer.concat(chunks);
      const text = body.toString('utf8', 0, Math.min(bytes, mostBytes));
      unparsedBodies.set(raw, bytes > mostBytes ? `${text}… [cut here: the rest was not read]` : text);
      resolve(body);
    };
    const ends = ['end', 'close', 'error'];
    for (const event of ends) raw.once(event, finish);
    raw.on('data', keep);
  });
}

/** Gives the app's parser the bodies of `readAhead`. */
export function takeBodiesAhead(app: FastifyInstance): void {
  app.addHook('preParsing', ({ raw }, _reply, payload, done) => {
    const body = bodiesAhead.get(raw);
    done(null, body === undefined ? payload : Readable.from([body]));
  });
}

/** The request's body as text: as received if its text was kept, otherwise serialized from the parsed value. */
export function bodyTextOf(request: FastifyRequest): string {
  const { rawBody } = request as { rawBody?: unknown };
  if (typeof rawBody === 'string') return rawBody;
  const read = unparsedBodies.get(request.raw);
  if (read !== undefined) return read;
  const { body } = request;
  if (body === undefined || body === null) return '';
  return typeof body === 'string' || Buffer.isBuffer(body) ? body.toString() : JSON.stringify(body);
}
