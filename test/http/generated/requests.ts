import type { Choices } from './choices.ts';
import { nastyText, type Operation, valueFor } from './operations.ts';

export interface Request {
  operation: Operation;
  bytes: Buffer;
  method: string;
  /** `operation` if the document's operation gets it, `path` if its path was changed, `http` if it may be no valid HTTP. */
  kind: 'operation' | 'path' | 'http';
}

export interface Known {
  /** Ids that exist. */
  ids: readonly string[];
  token(operation: Operation, choices: Choices): string;
}

/** Headers that change how a request is read. */
const odd = [
  'content-encoding: gzip',
  'content-encoding: identity',
  'content-type: application/json; charset=utf-16',
  'content-type: text/plain',
  'content-type: ;;;',
  'content-type:',
  'content-type: multipart/form-data; boundary=x',
  'content-type: application/json; charset=UTF-8',
  'content-type: APPLICATION/JSON',
  'accept: text/html',
  'accept-encoding: br',
  'expect: 100-continue',
  'expect: magic',
  'upgrade: websocket\r\nconnection: upgrade',
  'range: bytes=0-1',
  'if-none-match: *',
  'cookie: passerelle_session=x',
  'x-forwarded-for: 1.2.3.4',
  'x-http-method-override: DELETE',
  'idempotency-key: a',
  'prefer: x',
  'idempotency-key: ',
  'origin: https://evil.example',
  'accept-version: 9',
  'traceparent: 00-0-0-0',
  'te: trailers',
  'referer: \x80\xff',
]; // prettier-ignore

/** Changes of a head after which Node's parser may refuse it. */
const broken: ((head: string) => string)[] = [
  (head) => head.replace(' HTTP/1.1', ' HTTP/9.9'),
  (head) => head.replace(' HTTP/1.1', ''),
  (head) => head.replace(/^host: .*\r\n/m, ''),
  (head) => head.replace(/^host: .*$/m, 'host: a\r\nhost: b'),
  (head) => head.replace(/\r\n\r\n$/, '\r\nbad header\r\n\r\n'),
  (head) => head.replace(/\r\n\r\n$/, `\r\nx-huge: ${'y'.repeat(17_000)}\r\n\r\n`),
  (head) => head.replace(/\r\n\r\n$/, '\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'),
  (head) => head.replace(/\r\n\r\n$/, '\r\ntransfer-encoding: gzip\r\n\r\n'),
  (head) => head.replace(/\r\n\r\n$/, '\r\ncontent-length: -5\r\n\r\n'),
  (head) => head.replace(/\r\n\r\n$/, '\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n'),
  (head) => head.replace(/\r\n\r\n$/, '\r\nx: a\0b\r\n\r\n'),
  (head) => head.replace(/^(\S+) (\S+)/, '$1 $2 extra'),
  (head) => head.replace(/^(\S+) (\S+)/, (_all, method, path) => `${method} ${path}${'/z'.repeat(9000)}`),
  (head) => `\r\n\r\n${head}`,
  (head) => head.replaceAll('\r\n', '\n'),
]; // prettier-ignore

const paths: ((path: string) => string)[] = [
  (path) => `/${path}`,
  (path) => `${path}/`,
  (path) => path.replaceAll('/', '//'),
  (path) => path.replace(/\/(?=[^/]*$)/, '%2F'),
  (path) => path.replace(/\/(?=[^/]*$)/, '/./'),
  (path) => `${path}/../x`,
  (path) => path.toUpperCase(),
  (path) => `${path}%00`,
  (path) => `${path}%`,
  (path) => `${path};a=b`,
  (path) => `${path}#x`,
  (path) => `http://other.example${path}`,
  (path) => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  () => '*',
  () => '/',
  () => '/pos/api/v1/../../../manage/v1/operators',
];

const methods = ['HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'PATCH', 'DELETE', 'PUT', 'POST', 'GET', 'QUERY', 'LINK', 'get'];

export function requestTo(operation: Operation, choices: Choices, known: Known): Request {
  const isBroken = choices.chance(0.02);
  const isMoved = choices.chance(0.05);
  const isOtherMethod = choices.chance(0.03);
  const method = isOtherMethod ? choices.of(methods) : operation.method;
  const plain = pathOf(operation, choices, known.ids) + queryOf(operation, choices, known.ids);
  const path = isMoved ? choices.of(paths)(plain) : plain;
  const body = bodyOf(operation, choices, known.ids);
  const lines = [`${method} ${path} HTTP/1.1`, 'host: gateway.example', ...authorizationOf(operation, choices, known)];
  if (choices.chance(0.1)) lines.push(choices.of(odd));
  else if (body !== null || choices.chance(0.1)) lines.push('content-type: application/json');
  const payload = Buffer.from(body ?? '');
  const isChunked = body !== null && choices.chance(0.05);
  if (isChunked) lines.push('transfer-encoding: chunked');
  else if (body !== null || choices.chance(0.1)) lines.push(`content-length: ${payload.length}`);
  const head = `${lines.join('\r\n')}\r\n\r\n`;
  const sent = isChunked
    ? Buffer.from(
        `${payload.length.toString(16)}\r\n${payload.toString('latin1')}\r\n${payload.length > 0 ? '0\r\n\r\n' : ''}`,
        'latin1',
      )
    : payload;
  const bytes = Buffer.concat([Buffer.from(isBroken ? choices.of(broken)(head) : head, 'latin1'), sent]);
  return { operation, bytes, method, kind: isBroken ? 'http' : isMoved || isOtherMethod ? 'path' : 'operation' };
}

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

function pathOf({ path }: Operation, choices: Choices, ids: readonly string[]): string {
  // An empty segment would be another path.
  return path.replace(/\{[^}]+\}/g, () => encoded(choices.chance(0.8) ? choices.of(ids) : nastyText(choices)) || '%20');
}

function queryOf({ parameters }: Operation, choices: Choices, ids: readonly string[]): string {
  const pairs = parameters
    // A long poll waits for what these requests never make.
    .filter((one) => one.in === 'query' && one.name !== 'wait' && choices.chance(0.2))
    .map(({ name, schema }) => [name, String(valueFor(schema, choices, ids, 0.2))]);
  if (choices.chance(0.05)) pairs.push([nastyText(choices), nastyText(choices)]);
  if (choices.chance(0.02)) return '?%zz=%&&&=';
  return pairs.length === 0 ? '' : `?${pairs.map(([name = '', value = '']) => `${encoded(name)}=${encoded(value)}`).join('&')}`;
}

function authorizationOf(operation: Operation, choices: Choices, known: Known): string[] {
  if (choices.chance(0.92)) return [`authorization: Bearer ${known.token(operation, choices)}`];
  return choices.of([
    [],
    ['authorization: Bearer wrong'],
    ['authorization: Basic YTpi'],
    ['authorization:'],
    ['authorization: Bearer  '],
    [`authorization: Bearer ${'x'.repeat(5000)}`],
    ['authorization: Bearer 1|xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'],
  ]);
}

/** The body as text; null for none. */
function bodyOf({ body, method }: Operation, choices: Choices, ids: readonly string[]): string | null {
  const usual = body !== undefined;
  if (!usual && (method === 'GET' ? !choices.chance(0.01) : !choices.chance(0.1))) return null;
  if (!usual) return choices.of(['', '{}', '{"a":1}', 'null', '{', '[]']);
  if (choices.chance(0.05))
    return choices.of([
      '',
      '{',
      'null',
      '[]',
      '"a"',
      '{"a":1e309}',
      '\ufeff{}',
      '{"__proto__":{}}',
      '\u0000',
      `{"a":"${'x'.repeat(20_000)}"}`,
      '['.repeat(5000),
      '{"a":1}{"a":1}',
    ]); // prettier-ignore
  return JSON.stringify(valueFor(body, choices, ids));
}
