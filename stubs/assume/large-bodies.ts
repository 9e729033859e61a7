import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { jsonParserOf } from '../../gateway/http/incoming.ts';

/** Bounds of bodies that alternatives have, in bytes. "No limit" is what a stub can hold in memory many times. */
export const largeBodies = { '1-mb': 1024 * 1024, unlimited: 64 * 1024 * 1024 } as const;

/** Fastify has one bound for each content type. No client can name these. */
const typeOf: ReadonlyMap<number, string> = new Map(
  Object.values(largeBodies).map((bytes) => [bytes, `application/${randomUUID()}`]),
);

/** Lets calls with another bound be read. The others are read as ever. */
export function readLargeBodies(app: FastifyInstance): void {
  for (const [bodyLimit, type] of typeOf)
    app.addContentTypeParser<Buffer>(type, { parseAs: 'buffer', bodyLimit }, jsonParserOf(app));
}

/** Gives a JSON body another bound. Its header is hidden until the reply is ready. */
export function withBodyLimit(request: FastifyRequest, bytes: number): void {
  const { headers } = request.raw;
  const { 'content-type': sent = '' } = headers;
  const own = typeOf.get(bytes);
  if (own === undefined || !/^application\/json(?=\s*(;|$))/i.test(sent)) return;
  request.hiddenHeaders = { ...request.hiddenHeaders, 'content-type': sent };
  headers['content-type'] = sent.replace(/^application\/json/i, own);
}
