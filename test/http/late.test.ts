import Fastify, { type FastifyInstance } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { serveLate } from '../../gateway/http/late.ts';

async function appWith(open: () => Promise<FastifyInstance>) {
  const app = Fastify() as unknown as FastifyInstance;
  serveLate(app, '/late', open);
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => app.close());
  return { app, ask: (path: string) => fetch(`${url}${path}`) };
}

function inner(): FastifyInstance {
  const app = Fastify() as unknown as FastifyInstance;
  app.get('/late', async () => 'root');
  app.get('/late/:name', async ({ params }) => params);
  return app;
}

test('the app is opened once, by the first of many concurrent calls, and closed with the outer app', async () => {
  let opened = 0;
  let closed = 0;
  const { app, ask } = await appWith(async () => {
    opened += 1;
    const late = inner();
    late.addHook('onClose', async () => {
      closed += 1;
    });
    return late;
  });
  expect(opened).toBe(0);
  const replies = await Promise.all(['/late', '/late/a', '/late/b?x=1'].map(async (path) => (await ask(path)).text()));
  expect(replies).toEqual(['root', '{"name":"a"}', '{"name":"b"}']);
  expect(opened).toBe(1);
  await app.close();
  expect(closed).toBe(1);
});

test('if the app cannot be opened, the next call tries again', async () => {
  let attempts = 0;
  const { ask } = await appWith(async () => {
    attempts += 1;
    if (attempts === 1) throw new Error('not now');
    return inner();
  });
  expect((await ask('/late')).status).toBe(500);
  expect(await (await ask('/late')).text()).toBe('root');
});
