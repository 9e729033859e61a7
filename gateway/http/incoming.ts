import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { FastifyBodyParser, FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { invalid, Refusal } from '../base/errors.ts';
import { invalidByteAt, maxDepth, maxValuesOf, measureJson } from './body-bounds.ts';

/**
 * The URL that the router gets. Scheme and host are removed: a client may send them (RFC 9112, section 3.2.2). If its escapes do
 * not decode, each `%` is escaped, so that its API answers and records the call.
 */
export function routableUrl(sent: string): string {
  const url = sent.startsWith('/') ? sent : sent.replace(/^https?:\/\/[^/?#]*(?=[/?#]|$)/i, '').replace(/^(?!\/|\*$)/, '/');
  if (!url.includes('%')) return url;
  const [path = '', ...query] = url.split('?');
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return [path.replaceAll('%', '%25'), ...query].join('?');
  }
}

/** Parses JSON bodies and keeps their text: records show it, and idempotency compares it byte for byte. */
export function parseJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, jsonParserOf(app));
}

export function jsonParserOf(app: FastifyInstance): FastifyBodyParser<Buffer> {
  const parse = app.getDefaultJsonParser('error', 'error');
  return (request, bytes, done) => {
    // A call that no route takes is refused because of its path, not because of its body.
    const refusal = request.is404 ? undefined : unreadableBody(request);
    if (refusal) return done(refusal);
    const body = bytes.toString('utf8');
    request.rawBody = body;
    if (request.is404) return done(null, undefined);
    // Many clients send the header with every call.
    if (body === '' && mayBeLeftOut(request.routeOptions.schema?.body)) return done(null, undefined);
    const unusable = isUtf8(bytes) ? outOfBounds(request, bytes) : notUtf8(bytes, body);
    if (unusable) return done(unusable);
    parse(request, body, (error, parsed) => done(error === null || body === '' ? error : malformed(body), parsed));
  };
}

const accepted = 'Send the body as JSON in UTF-8, not compressed, with Content-Type: application/json.';

const mayBeLeftOut = (schema: unknown) => !(schema instanceof z.ZodType) || schema.safeParse(null).success;

/** Refuses a body that is compressed or in another character set, because its text would be misread. */
function unreadableBody({ headers }: FastifyRequest): Refusal | undefined {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(headers['content-type'] ?? '') ?? [];
  if (encoding !== '' && encoding !== 'identity')
    return wrongMedia(`Content-Encoding "${encoding.slice(0, 40)}" is not accepted.`);
  if (!/^(utf-?8|us-ascii)$/i.test(charset)) return wrongMedia(`The character set "${charset.slice(0, 40)}" is not accepted.`);
  return undefined;
}

/** A decoder would put U+FFFD in its place, and that would be stored. */
const notUtf8 = (bytes: Buffer, text: string): Refusal =>
  wrongMedia(
    `The body is not UTF-8: the byte at position ${invalidByteAt(bytes, text)}, counted from 0, is not part of a character.`,
  );

function outOfBounds(request: FastifyRequest, bytes: Buffer): Refusal | undefined {
  const { depth, values } = measureJson(bytes);
  if (depth > maxDepth)
    return invalid(
      'body',
      'too_complex',
      `Lists and objects of the body must lie at most ${maxDepth} deep in each other, not ${depth}.`,
    );
  // Only a large body can have more values than any route takes. Each look at `routeOptions` makes a new object.
  const most = values > maxValuesOf(0) ? maxValuesOf(request.routeOptions.bodyLimit ?? 0) : values;
  if (values > most) return invalid('body', 'too_complex', `The body must have at most ${most} values, not ${values}.`);
  return undefined;
}

function wrongMedia(problem: string): Refusal {
  const message = `${problem} ${accepted}`;
  return new Refusal('media_type', 'unsupported_media_type', message, {
    details: [{ field: 'body', rule: 'unsupported_media_type', message }],
  });
}

/** What is wrong with a body that the JSON parser refused. It quotes nothing, because the body may hold secrets. */
function malformed(body: string): Refusal {
  try {
    JSON.parse(body.replace(/^\ufeff/, ''));
  } catch (error) {
    const [reason] = (error as Error).message.split(/, (?=\.\.\.|")/, 1);
    return invalid('body', 'malformed_request', `The body is not valid JSON: ${reason}.`);
  }
  return invalid('body', 'forbidden_field', 'The body has a field named "__proto__", or "constructor.prototype". Remove it.');
}

/** The body of a call that was refused before its body was read, if all of it has arrived. Nothing waits for the rest. */
export function arrivedBody(raw: IncomingMessage): string | null {
  const { complete, headers, readableDidRead, readableLength } = raw;
  // Node calls a message complete only after its last bytes are readable.
  const isWhole = complete || readableLength === Number(headers['content-length']);
  if (readableLength === 0 || !isWhole || readableDidRead || headers['content-encoding'] !== undefined) return null;
  return (raw.read() as Buffer | null)?.toString('utf8') ?? null;
}
