import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppliedFault } from './applied.ts';
import type { Pauses } from './pauses.ts';
import type { Fault } from './types.ts';

export interface BrokenReply {
  request: FastifyRequest;
  reply: FastifyReply;
  applied: AppliedFault;
  pauses: Pauses;
  /** The reply's whole body. */
  body: Buffer;
}

type Of<Kind extends Fault['kind']> = Extract<Fault, { kind: Kind }>;

/** A TCP reset, as of a process that died: the client sees ECONNRESET. */
export function resetConnection({ raw }: FastifyRequest, reply: FastifyReply): undefined {
  reply.hijack();
  // The socket of `inject` is no TCP connection.
  if (typeof raw.socket.resetAndDestroy === 'function') raw.socket.resetAndDestroy();
  else reply.raw.destroy(new Error('The connection was reset by a fault.'));
}

/** Promises the whole body, sends a part and ends the connection. */
export function sendTruncated({ share = 0.5 }: Of<'truncated'>, { request, reply, applied, body }: BrokenReply): undefined {
  const part = body.subarray(0, Math.floor(body.length * share));
  applied.sentBody = part.toString();
  beginReply(reply, body.length);
  reply.raw.flushHeaders();
  if (part.length > 0) reply.raw.write(part);
  if (typeof request.raw.socket.destroySoon === 'function') request.raw.socket.destroySoon();
  else reply.raw.destroy(new Error('The reply was cut by a fault.'));
}

/** Sends the head at once and the body in pieces, each after its part of the time. */
export async function sendSlowly({ overMs, pieces = 10 }: Of<'slow'>, broken: BrokenReply): Promise<undefined> {
  const { reply, applied, pauses, body } = broken;
  beginReply(reply, body.length);
  reply.raw.flushHeaders();
  const size = Math.ceil(body.length / Math.min(pieces, body.length));
  const count = Math.ceil(body.length / size);
  for (let at = 0; at < body.length; at += size) {
    if (!(await pauses.pause(overMs / count, reply.raw))) return;
    reply.raw.write(body.subarray(at, at + size));
    applied.sentBody = body.subarray(0, at + size).toString();
  }
  reply.raw.end();
}

/** A body that no JSON parser takes: the first half of what was meant. */
export function brokenJson(body: Buffer): string {
  const half = body.toString().slice(0, Math.ceil(body.length / 2));
  return isJson(half) ? `${half}{` : half;
}

/** The reply's body in one piece; undefined where it has none, or is of a kind that is left alone. */
export async function wholeBody(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<Buffer | undefined> {
  if (request.method === 'HEAD' || reply.statusCode === 204 || reply.statusCode === 304) return undefined;
  const body = payload instanceof Readable ? await buffer(payload) : payload;
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return undefined;
  return body.length === 0 ? undefined : Buffer.from(body as string);
}

/** From here on the reply is ours and no longer Fastify's. */
function beginReply(reply: FastifyReply, bytes: number): void {
  reply.header('content-length', bytes);
  reply.hijack();
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
