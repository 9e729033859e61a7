import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { readUnreadBodies } from '../../gateway/http/unread-bodies.ts';
import { buildTestApp, stillClock } from '../helper.ts';
import { openStub } from '../stubs/partner.ts';

const megabytes = (count: number) => Buffer.alloc(count * 1024 * 1024, 'x');
const body = megabytes(5);

async function listening(settings: Record<string, string> = {}) {
  const gateway = await buildTestApp({ clock: stillClock(), settings });
  const url = await gateway.app.listen({ port: 0, host: '127.0.0.1' });
  return { gateway, url, port: Number(new URL(url).port) };
}

const head = (path: string, ...lines: string[]) =>
  `${[`POST ${path} HTTP/1.1`, 'host: a', 'content-type: application/json', ...lines].join('\r\n')}\r\n\r\n`;
const sized = `content-length: ${body.length}`;

/** Opens a connection whose replies nobody reads before `resume`. A reset is an error of the test. */
async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').pause();
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

const written = (socket: Socket, bytes: string | Buffer) =>
  new Promise<void>((resolve, reject) => socket.write(bytes, (error) => (error ? reject(error) : resolve())));

/** Reads until the text has come. */
async function readUntil(socket: Socket, wanted: string | RegExp): Promise<string> {
  let read = '';
  socket.setEncoding('latin1').resume();
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    read += chunk;
    if (read.search(wanted) >= 0) break;
  }
  return read;
}

/** Also after a reset. */
const closed = (socket: Socket) => new Promise((resolve) => socket.resume().once('close', resolve));

const token = 'authorization: Bearer wrong';
const refusals = [
  ['413 of a public operation', '/pos/api/auth', [sized], 413],
  ['413 after the sign-in', '/manage/v1/operators', [sized, 'authorization: Bearer operator-token-of-the-tests'], 413],
  ['401', '/pos/api/v1/sales', [sized, token], 401],
  ['413 before an unknown path', '/pos/nothing', [sized], 413],
  ['404', '/pos/nothing', [sized, 'content-type: text/plain'], 404],
  ['415', '/pos/api/auth', [sized, 'content-type: text/plain'], 415],
  ['413 of a client that closes', '/pos/api/auth', [sized, 'connection: close'], 413],
] as const;

test.each(refusals)('a client that sends 5 MB before it reads sees the reply: %s', async (_name, path, lines, status) => {
  const { port } = await listening();
  const socket = await open(port);
  const own = lines.some((line) => line.startsWith('content-type'));
  await written(socket, own ? head(path, ...lines).replace('content-type: application/json\r\n', '') : head(path, ...lines));
  await written(socket, body);
  expect(await readUntil(socket, /"(code|message)"/)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  if (!lines.some((line) => line === 'connection: close')) {
    // The rest was read, so the connection serves the next call.
    await written(socket, head('/pos/api/auth', 'content-length: 2', 'connection: close').concat('{}'));
    expect(await readUntil(socket, /api_secret/)).toMatch(/^HTTP\/1.1 400 /);
  }
  if (!socket.readableEnded) await once(socket.resume(), 'end');
});

test('a body in chunks, without a length', async () => {
  const { port } = await listening();
  const socket = await open(port);
  await written(socket, head('/pos/api/auth', 'transfer-encoding: chunked'));
  const chunk = Buffer.concat([Buffer.from('100000\r\n'), megabytes(1), Buffer.from('\r\n')]);
  for (let sent = 0; sent < 5; sent++) await written(socket, chunk);
  await written(socket, '0\r\n\r\n');
  expect(await readUntil(socket, /body_too_large/)).toMatch(/^HTTP\/1.1 413 /);
});

test('a 429 with a large body', async () => {
  const { gateway, port } = await listening({ OPERATION_LIMITS: 'createSale=1/min' });
  const token = await gateway.posToken();
  await gateway.call('POST', '/pos/api/v1/sales', { token, body: {} });
  const socket = await open(port);
  await written(socket, head('/pos/api/v1/sales', sized, `authorization: Bearer ${token}`));
  await written(socket, body);
  expect(await readUntil(socket, /rate_limited/)).toMatch(/^HTTP\/1.1 429 /);
});

test('node:http and fetch get 413, on a gateway and on a stub', async () => {
  const { url } = await listening();
  const stub = await openStub('pos');
  for (const address of [`${url}/pos/api/auth`, `${stub.url}/api/auth`, `${stub.url}/_stub/trigger`]) {
    const headers = { 'content-type': 'application/json' };
    const sent = request(address, { method: 'POST', headers: { ...headers, 'content-length': body.length } }).end(body);
    const [reply] = (await once(sent, 'response')) as [IncomingMessage];
    expect([address, reply.statusCode, await text(reply)]).toEqual([address, 413, expect.stringContaining('body_too_large')]);
    const fetched = await fetch(address, { method: 'POST', headers, body });
    expect([address, fetched.status, await fetched.text()]).toEqual([address, 413, expect.stringContaining('body_too_large')]);
  }
});

test('a client that asks first is not asked for a body that is refused', async () => {
  const { port } = await listening();
  const ask = async (path: string, ...lines: string[]) => {
    const socket = await open(port);
    await written(socket, head(path, 'expect: 100-continue', ...lines));
    return { socket, reply: await readUntil(socket, /\r\n\r\n/) };
  };
  for (const [path, lines, status] of refusals
    .filter(([, , , status]) => status !== 404 && status !== 415)
    .map(([, ...rest]) => rest)) {
    const { socket, reply } = await ask(path, ...lines);
    expect(reply).toMatch(new RegExp(`^HTTP/1.1 ${status} .*connection: close`, 's'));
    await once(socket.resume(), 'end');
  }
  const { socket, reply } = await ask('/pos/api/auth', 'content-length: 2');
  expect(reply).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  await written(socket, '{}');
  expect(await readUntil(socket, /api_secret/)).toMatch(/^HTTP\/1.1 400 /);
});

test('what is read after a refusal is bounded in bytes and in time', async () => {
  const serve = async (bounds: { bytes: number; ms: number }) => {
    const app = Fastify();
    onTestFinished(() => app.close());
    readUnreadBodies(app as never, bounds);
    app.addHook('onRequest', async (_request, reply) => reply.code(401).send('no'));
    const socket = await open(Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port));
    socket.on('error', () => {});
    return socket;
  };
  const many = await serve({ bytes: 1024 * 1024, ms: 600_000 });
  many.write(head('/', 'content-length: 1000000000'));
  expect(await readUntil(many, /no$/)).toMatch(/^HTTP\/1.1 401 /);
  many.write(megabytes(8));
  await closed(many);
  const slow = await serve({ bytes: 1024 * 1024, ms: 20 });
  slow.write(head('/', 'content-length: 1000'));
  expect(await readUntil(slow, /no$/)).toMatch(/^HTTP\/1.1 401 /);
  await closed(slow);
});
