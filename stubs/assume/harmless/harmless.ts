import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServiceName } from '../../../spec/documents/services.ts';
import { parsed } from '../../../spec/openapi/asked.ts';
import { type Writing, written } from './json.ts';
import { otherHeaders, sentBy } from './wire.ts';

/** The behaviour of a stub under some harmless changes: ids such as `harmless.gzip`. */
export function harmlessOf(api: ServiceName, active: ReadonlySet<string>) {
  const has = (name: string) => active.has(`harmless.${name}`);
  const writing: Writing = { api, has };
  return {
    text: (body: unknown) => (typeof body === 'string' ? body : written(body, writing)),
    headers: (headers: Record<string, string>) => otherHeaders(has, headers),
    /** Changes a reply that is ready, with all alternatives in it. Returns the payload to send. */
    reply: (request: FastifyRequest, reply: FastifyReply, payload: unknown) =>
      sentBy(has, request, reply, rewritten(writing, request, reply, payload)),
  };
}

function rewritten(writing: Writing, request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
  const isText = typeof payload === 'string' || Buffer.isBuffer(payload);
  if (!isText || !/json/i.test(String(reply.getHeader('content-type') ?? ''))) return payload;
  const body = parsed(String(payload));
  if (body === undefined || typeof body === 'string') return payload;
  const text = written(body, writing);
  reply.removeHeader('content-length');
  request.sentBody = text;
  return text;
}
