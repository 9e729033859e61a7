import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';

const maxBytes = 256 * 1024;
const unparsedBodies = new WeakMap<IncomingMessage, string>();

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
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const keep = (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBytes) finish();
    };
    const finish = () => {
      for (const event of ends) raw.off(event, finish);
      raw.off('data', keep).resume();
      const text = Buffer.concat(chunks).toString('utf8', 0, Math.min(bytes, maxBytes));
      unparsedBodies.set(raw, bytes > maxBytes ? `${text}… [cut here: the rest was not read]` : text);
      resolve();
    };
    const ends = ['end', 'close', 'error'];
    for (const event of ends) raw.once(event, finish);
    raw.on('data', keep);
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
