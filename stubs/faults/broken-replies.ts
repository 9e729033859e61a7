import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppliedFault } from './applied.ts';
import type { Pauses } from './pauses.ts';
import type { MalformedFault, SlowFault, TruncatedFault } from './types.ts';

export interface BrokenReply {
  request: FastifyRequest;
  reply: FastifyReply;
  applied: AppliedFault;
  pauses: Pauses;
  /** The reply's whole body. */
  body: Buffer;
}

/** The payload that Fastify still has to send; undefined if the reply has been written to the socket. */
export type Sent = { payload: unknown } | undefined;

/** Resets the TCP connection, as when a process dies: the client sees ECONNRESET. */
export function resetConnection({ raw }: FastifyRequest, reply: FastifyReply): undefined {
  reply.hijack();
  // The socket of Fastify's `inject` is not a TCP connection.
  if (typeof raw.socket.resetAndDestroy === 'function') raw.socket.resetAndDestroy();
  else reply.raw.destroy(new Error('The connection was reset by a fault.'));
}

/** Announces the whole body, sends a part of it and ends the connection. */
export function sendTruncated({ share = 0.5 }: TruncatedFault, { request, reply, applied, body }: BrokenReply): undefined {
  const part = body.subarray(0, Math.floor(body.length * share));
  applied.sentBody = part.toString();
  beginReply(reply, body.length);
  reply.raw.flushHeaders();
  if (part.length > 0) reply.raw.write(part);
  if (typeof request.raw.socket.destroySoon === 'function') request.raw.socket.destroySoon();
  else reply.raw.destroy(new Error('The reply was cut by a fault.'));
}

/** Sends the headers at once and the body in pieces of equal size, at equal intervals. */
export async function sendSlowly({ overMs, pieces = 10 }: SlowFault, broken: BrokenReply): Promise<undefined> {
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

/** Replaces the body by its first half, which no JSON parser accepts. */
export function sendMalformed(_fault: MalformedFault, { reply, applied, body }: BrokenReply): Sent {
  applied.sentBody = brokenJson(body);
  reply.header('content-length', Buffer.byteLength(applied.sentBody));
  return { payload: applied.sentBody };
}

function brokenJson(body: Buffer): string {
  const half = body.toString().slice(0, Math.ceil(body.length / 2));
  return isJson(half) ? `${half}{` : half;
}

/** The whole body of a reply; undefined if it has none or is neither text nor bytes. */
export async function wholeBody(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<Buffer | undefined> {
  if (request.method === 'HEAD' || reply.statusCode === 204 || reply.statusCode === 304) return undefined;
  const body = payload instanceof Readable ? await buffer(payload) : payload;
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return undefined;
  return body.length === 0 ? undefined : Buffer.from(body as string);
}

/** Takes the reply away from Fastify and writes its head. */
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
