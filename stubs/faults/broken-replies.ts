import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppliedFault } from './applied.ts';
import type { Pauses } from './pauses.ts';
import type {
  BandwidthFault,
  EmptyFault,
  HangFault,
  MalformedChunkFault,
  MalformedFault,
  SlowFault,
  TruncatedFault,
} from './types.ts';

export interface CutCall {
  request: FastifyRequest;
  reply: FastifyReply;
  pauses: Pauses;
}

export interface BrokenReply extends CutCall {
  applied: AppliedFault;
  /** The reply's whole body. */
  body: Buffer;
}

/** The payload that Fastify still has to send; undefined if the reply has been written to the socket. */
export type Sent = { payload: unknown } | undefined;

/** Resets the TCP connection, as when a process dies: the client sees ECONNRESET. */
export function resetConnection(_fault: unknown, { request: { raw }, reply }: CutCall): void {
  // Only the TCP connection below TLS can be reset. Node has no public name for it.
  const socket = (raw.socket as Socket & { _parent?: Socket | null })._parent ?? raw.socket;
  // The socket of Fastify's `inject` is not a TCP connection.
  if (typeof socket.resetAndDestroy === 'function') socket.resetAndDestroy();
  else reply.raw.destroy(new Error('The connection was reset by a fault.'));
}

/** Closes the connection without a byte of a reply, at once or after a time. */
export async function closeConnection(fault: EmptyFault | HangFault, { request, reply, pauses }: CutCall): Promise<void> {
  if (fault.kind === 'hang') await pauses.pause(fault.ms, reply.raw);
  close(request, reply);
}

/** Closes the connection once what was written is sent. */
function close({ raw: { socket } }: FastifyRequest, reply: FastifyReply): void {
  // The socket of Fastify's `inject` is not a TCP connection.
  if (typeof socket.destroySoon === 'function') socket.destroySoon();
  else reply.raw.destroy(new Error('The reply was cut by a fault.'));
}

/** Announces the whole body, sends a part of it and ends the connection. */
export function sendTruncated({ share = 0.5 }: TruncatedFault, { request, reply, applied, body }: BrokenReply): undefined {
  const part = body.subarray(0, Math.floor(body.length * share));
  applied.sentBody = part.toString();
  beginReply(reply, body.length);
  reply.raw.flushHeaders();
  if (part.length > 0) reply.raw.write(part);
  close(request, reply);
}

/** Sends half of the body as a chunk, then a line that is no chunk's size, and ends the connection. */
export function sendMalformedChunk(_fault: MalformedChunkFault, { request, reply, applied, body }: BrokenReply): undefined {
  const part = body.subarray(0, Math.ceil(body.length / 2));
  applied.sentBody = part.toString();
  beginReply(reply);
  reply.raw.write(part);
  request.raw.socket.write('not a chunk\r\n');
  close(request, reply);
}

/** Sends pieces of equal size at equal intervals. */
export function sendSlowly({ overMs, pieces = 10 }: SlowFault, broken: BrokenReply): Promise<undefined> {
  const { length } = broken.body;
  const size = Math.ceil(length / Math.min(pieces, length));
  return sendPieces(broken, size, () => overMs / Math.ceil(length / size));
}

/** Sends ten pieces a second, or a byte at a time. */
export const sendAtRate = ({ bytesPerSecond }: BandwidthFault, broken: BrokenReply): Promise<undefined> =>
  sendPieces(broken, Math.ceil(bytesPerSecond / 10), (bytes) => (bytes * 1000) / bytesPerSecond);

/** Sends the headers at once and the body in pieces, each after a pause. */
async function sendPieces(
  { reply, applied, pauses, body }: BrokenReply,
  size: number,
  pauseMs: (bytes: number) => number,
): Promise<undefined> {
  beginReply(reply, body.length);
  reply.raw.flushHeaders();
  for (let at = 0; at < body.length; at += size) {
    const piece = body.subarray(at, at + size);
    if (!(await pauses.pause(pauseMs(piece.length), reply.raw))) return;
    reply.raw.write(piece);
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

/** Takes the reply away from Fastify and writes its head. Without a length the body is sent in chunks. */
function beginReply(reply: FastifyReply, bytes?: number): void {
  if (bytes !== undefined) reply.header('content-length', bytes);
  else reply.removeHeader('content-length').header('transfer-encoding', 'chunked');
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
