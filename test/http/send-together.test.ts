import Fastify from 'fastify';
import { expect, test, vi } from 'vitest';
import { sendTogether } from '../../gateway/http/send-together.ts';
import { startStub } from '../../stubs/stub.ts';

test('calls that arrive together are all handled before the first reply is sent', async () => {
  const app = Fastify();
  const order: string[] = [];
  sendTogether(app);
  app.addHook('onResponse', (request, _reply, done) => {
    order.push(`sent ${request.url}`);
    done();
  });
  app.get('/*', (request, reply) => {
    order.push(`handled ${request.url}`);
    reply.send('ok');
  });
  await app.ready();

  const replies = await Promise.all(['/1', '/2', '/3'].map((url) => app.inject(url)));

  expect(replies.map(({ body }) => body)).toEqual(['ok', 'ok', 'ok']);
  expect(order).toEqual(['handled /1', 'handled /2', 'handled /3', 'sent /1', 'sent /2', 'sent /3']);
});

test('a stub in the process of a test replies although the test replaced the timers', async () => {
  await using stub = await startStub('pos');
  vi.useFakeTimers();
  try {
    const reply = await fetch(`${stub.url}/_stub/openapi.json`);
    expect(reply.status).toBe(200);
  } finally {
    vi.useRealTimers();
  }
});
