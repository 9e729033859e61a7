import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { closeGracefully } from '../../gateway/http/closing.ts';

/** An app whose stop is under way when `stopping` resolves, and a client that keeps its connections. */
async function appWith(routes: (app: FastifyInstance) => void, { isBehindProxy = false } = {}) {
  const app = Fastify({ forceCloseConnections: 'idle', return503OnClosing: false }) as unknown as FastifyInstance;
  closeGracefully(app, { isBehindProxy });
  const { promise: stopping, resolve } = Promise.withResolvers<void>();
  app.addHook('preClose', async () => resolve());
  routes(app);
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const ask = async (): Promise<IncomingMessage> => (await once(get(url, { agent }), 'response'))[0];
  return { app, url, stopping, ask };
}

test('a reply that begins after the stop tells its client to close the connection', async () => {
  const received = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<string>();
  const { app, stopping, ask } = await appWith((routes) => {
    routes.get('/', () => {
      received.resolve();
      return answer.promise;
    });
  });
  const asking = ask();
  await received.promise;
  const closed = app.close();
  await stopping;
  answer.resolve('done');
  const reply = await asking;
  expect([reply.statusCode, reply.headers.connection]).toEqual([200, 'close']);
  reply.resume();
  await closed;
});

test('before the stop, connections are kept open', async () => {
  const { app, ask } = await appWith((routes) => void routes.get('/', async () => 'done'));
  const reply = await ask();
  expect(reply.headers.connection).toBe('keep-alive');
  reply.resume();
  await app.close();
});

test('the stop does not wait for the client of a reply that began before it', async () => {
  const finish = Promise.withResolvers<void>();
  const { app, ask } = await appWith((routes) => {
    routes.get('/', (_request, reply) => {
      reply.hijack();
      reply.raw.writeHead(200, { 'content-length': '4' }).write('do');
      void finish.promise.then(() => reply.raw.end('ne'));
    });
  });
  const reply = await ask();
  const closed = app.close();
  // After this, Node does not close idle connections by itself.
  await expect.poll(() => app.server.listening).toBe(false);
  finish.resolve();
  const ended = once(reply, 'end');
  reply.resume();
  await ended;
  // If idle connections were not closed early, this would take 72 s, Node's keep-alive time.
  await closed;
});

test('behind a proxy, a call on a connection that was idle at the stop is answered, and new connections are refused', async () => {
  const { app, url, ask } = await appWith((routes) => void routes.get('/', async () => 'done'), { isBehindProxy: true });
  await once((await ask()).resume(), 'end');
  const closed = app.close();
  await expect.poll(() => app.server.listening).toBe(false);
  await expect(once(get(url, { agent: false }), 'response')).rejects.toThrow('ECONNREFUSED');
  const reply = await ask();
  expect([reply.statusCode, reply.headers.connection]).toEqual([200, 'close']);
  reply.resume();
  await closed;
});

test('the stop does not wait for a client that has connected and never asks', async () => {
  const { app, url } = await appWith((routes) => void routes.get('/', async () => 'done'));
  const silent = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void silent.destroy());
  await once(silent, 'connect');
  // Node keeps such a connection for as long as its client does.
  await app.close();
});
