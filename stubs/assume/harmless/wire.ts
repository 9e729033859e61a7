import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Has } from './json.ts';

/** Changes the headers of a reply and how its body is sent. Returns the payload to send. */
export function sentBy(has: Has, request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
  if (has('connection-close')) reply.header('connection', 'close');
  if (has('header-case')) capitalize(reply.raw);
  const type = reply.getHeader('content-type');
  if (has('charset') && typeof type === 'string') reply.header('content-type', withOtherCharset(type));
  // A fault that breaks the body needs all of it, as it is.
  if (request.fault?.chosen.outcome || !isBody(payload) || reply.statusCode === 204) return payload;
  const body = has('gzip') ? compressed(request, reply, payload) : payload;
  if (!has('chunked')) return body;
  reply.removeHeader('content-length');
  return Readable.from(halves(Buffer.from(body as string)), { objectMode: false });
}

const isBody = (payload: unknown): payload is string | Buffer =>
  (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length > 0;

/** Two pieces, which may cut a letter in two. */
function* halves(body: Buffer): Generator<Buffer> {
  const middle = Math.ceil(body.length / 2);
  yield body.subarray(0, middle);
  if (middle < body.length) yield body.subarray(middle);
}

function compressed(request: FastifyRequest, reply: FastifyReply, payload: string | Buffer): string | Buffer {
  if (reply.hasHeader('content-encoding')) return payload;
  const vary = String(reply.getHeader('vary') ?? '');
  if (!/accept-encoding/i.test(vary)) reply.header('vary', vary === '' ? 'accept-encoding' : `${vary}, accept-encoding`);
  if (!acceptsGzip(request.headers['accept-encoding'])) return payload;
  reply.header('content-encoding', 'gzip').removeHeader('content-length');
  return gzipSync(payload);
}

/** Reads Accept-Encoding (RFC 9110, 12.5.3). Without the header, a body that is not compressed is the safe one. */
export function acceptsGzip(accepted: string | string[] | undefined): boolean {
  const weights = new Map(
    String(accepted ?? '')
      .toLowerCase()
      .split(',')
      .map((one) => {
        const [, name = '', weight = '1'] = /^\s*([^;\s]*)(?:.*;\s*q=([\d.]+))?/.exec(one) ?? [];
        return [name, Number(weight)] as const;
      }),
  );
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0;
}

/** Removes the charset from the type of a JSON body, or names it where it is missing. */
export function withOtherCharset(type: string): string {
  if (!/json/i.test(type)) return type;
  return /;\s*charset=/i.test(type) ? type.replace(/;\s*charset=[^;]*/i, '') : `${type}; charset=utf-8`;
}

const capitalized = (name: string): string => name.replace(/(^|-)([a-z])/g, (_, before, letter) => before + letter.toUpperCase());

/** Returns the headers of a webhook. A name with capitals gets none, as over HTTP/2; others get them. */
export function otherHeaders(has: Has, headers: Record<string, string>): Record<string, string> {
  const otherCase = (name: string) => (name === name.toLowerCase() ? capitalized(name) : name.toLowerCase());
  const named = Object.entries(headers).map(([name, value]) => {
    const isType = name.toLowerCase() === 'content-type';
    return [has('header-case') ? otherCase(name) : name, has('charset') && isType ? withOtherCharset(value) : value];
  });
  return Object.fromEntries(named);
}

/** Node writes names as they are given to these two, which Fastify calls with names in lower case. */
function capitalize(raw: ServerResponse): void {
  const { setHeader, writeHead } = raw;
  raw.setHeader = (name, value) => setHeader.call(raw, capitalized(name), value);
  raw.writeHead = ((status: number, headers: Record<string, string>) =>
    writeHead.call(
      raw,
      status,
      Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [capitalized(name), value])),
    )) as typeof raw.writeHead;
}
