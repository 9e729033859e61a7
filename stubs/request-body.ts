import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';

const readBeforehand = new WeakMap<IncomingMessage, string>();

/**
 * Reads a body that nobody will read, since the call is refused before its body is parsed: whoever looks at the call
 * afterwards wants to see what was sent. Keeps at most `mostBytes`, and does not
 * wait for the rest.
 */
export function readUnread({ raw }: FastifyRequest, mostBytes = 256 * 1024): Promise<void> | undefined {
  const announced = raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length'] ?? 0) > 0;
  if (!announced || raw.readableDidRead || raw.destroyed) return undefined;
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
      raw.off('data', keep).resume();
      const text = Buffer.concat(chunks).toString('utf8', 0, Math.min(bytes, mostBytes));
      readBeforehand.set(raw, bytes > mostBytes ? `${text}… [cut here: the rest was not read]` : text);
      resolve();
    };
    const ends = ['end', 'close', 'error'];
    for (const event of ends) raw.once(event, finish);
    raw.on('data', keep);
  });
}

/** The request's body as text: as it came where that was kept, else written anew from its parsed value. */
export function bodyTextOf(request: FastifyRequest): string {
  const { rawBody } = request as { rawBody?: unknown };
  if (typeof rawBody === 'string') return rawBody;
  const read = readBeforehand.get(request.raw);
  if (read !== undefined) return read;
  const { body } = request;
  if (body === undefined || body === null) return '';
  return typeof body === 'string' || Buffer.isBuffer(body) ? body.toString() : JSON.stringify(body);
}
