import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServiceName } from '../../../contracts/documents/services.ts';
import { parsed } from '../../../contracts/tools/assumptions/asked.ts';
import type { Harmless, Variant } from '../types.ts';
import { numbersOf, type Writing, written } from './json.ts';
import { capitalized, sentBy, type Wire, withOtherCharset } from './wire.ts';

/** Ids still fit the 64 characters of a payment's reference, and a seed takes them: letters and digits, at most 60. */
const longSuffix = `${'0'.repeat(19)}1`;

/** `active`: ids such as `harmless.gzip`. */
export function harmlessOf(api: ServiceName, active: ReadonlySet<string>): Harmless {
  const has = (name: string) => active.has(`harmless.${name}`);
  const writing: Writing = {
    hasExtraFields: has('extra-fields'),
    isReversed: has('key-order'),
    isSpaced: has('whitespace'),
    isEscaped: has('escapes'),
    decimals: new Set(has('decimals') ? numbersOf[api] : []),
  };
  const wire: Wire = {
    hasOtherCase: has('header-case'),
    hasOtherCharset: has('charset'),
    isChunked: has('chunked'),
    isCompressed: has('gzip'),
    isClosed: has('connection-close'),
  };
  return {
    idSuffix: has('longer-ids') ? longSuffix : '',
    variants: has('shorter-pages') ? [shorterPages] : [],
    text: (body) => (typeof body === 'string' ? body : written(body, writing)),
    headers: (headers) => otherHeaders(wire, headers),
    reply: (request, reply, payload) => sentBy(wire, request, reply, rewritten(writing, request, reply, payload)),
  };
}

/** One row less than the request asks for, so that a full page is shorter than it. */
const shorterPages: Variant = {
  at: 'validation',
  request({ operation, query }) {
    const asked = Number(query.per_page);
    const isPage = operation.startsWith('GET') && /^\d+$/.test(query.per_page ?? '') && asked >= 2 && asked <= 100;
    return isPage ? { query: { ...query, per_page: String(asked - 1) } } : {};
  },
};

/** Writes the JSON body of a reply anew. */
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

function otherHeaders({ hasOtherCase, hasOtherCharset }: Wire, headers: Record<string, string>): Record<string, string> {
  const named = Object.entries(headers).map(([name, value]) => {
    const isType = name.toLowerCase() === 'content-type';
    return [hasOtherCase ? otherCase(name) : name, hasOtherCharset && isType ? withOtherCharset(value) : value];
  });
  return Object.fromEntries(named);
}

/** A name with capitals gets none, as over HTTP/2; others get them. */
const otherCase = (name: string) => (name === name.toLowerCase() ? capitalized(name) : name.toLowerCase());
