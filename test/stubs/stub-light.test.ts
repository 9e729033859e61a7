import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';
import { startStub } from '../../stubs/stub.ts';

const script = `
  import { registerHooks } from 'node:module';
  const loaded = new Set();
  registerHooks({
    load(url, context, next) {
      const found = /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url);
      if (found) loaded.add(found[1]);
      if (url.includes('/gateway/console/')) loaded.add('the console');
      if (url.endsWith('/gateway/manage/open.ts')) loaded.add('the manage API');
      return next(url, context);
    },
  });
  const { startStub } = await import('./stubs/stub.ts');
  const stub = await startStub(process.argv[1]);
  const reply = await fetch(stub.url + '/api/v1/me');
  await reply.text();
  await stub.reset();
  await stub.close();
  console.log(JSON.stringify([...loaded]));
`;

/** Modules that a stub does not need before its first webhook. Some of them once made its start slow. */
const heavy = [
  '@electric-sql/pglite',
  '@fastify/rate-limit',
  '@fastify/swagger',
  '@pact-foundation/pact',
  '@scalar/fastify-api-reference',
  'ajv',
  'bullmq',
  'commander',
  'ioredis',
  'kysely',
  'marked',
  'pg',
  'pino-pretty',
  'prom-client',
  'undici',
  'the console',
  'yaml',
  'the manage API',
];

test.each(['pos', 'cohesion'])('a stub of %s loads no unneeded module', async (api) => {
  const loaded = await new Promise<string[]>((resolve, reject) => {
    const args = ['--input-type=module', '-e', script, api];
    execFile(process.execPath, args, { cwd: new URL('../..', import.meta.url) }, (error, stdout) =>
      error ? reject(error) : resolve(JSON.parse(stdout)),
    );
  });
  expect(loaded).toContain('fastify');
  expect(loaded.filter((name) => heavy.includes(name))).toEqual([]);
});

test('the manage API works from its first concurrent calls on, and records them', async () => {
  await using stub = await startStub('pos', { seed: 'empty' });
  const headers = { authorization: `Bearer ${stub.operatorToken}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ id: 'S-1', name: 'Kiosque', city: 'Abidjan' });
  const [made, unknown, refused] = await Promise.all([
    fetch(`${stub.url}/manage/v1/pos/stores`, { method: 'POST', headers, body }),
    fetch(`${stub.url}/manage/v1/nowhere?at=all`, { headers }),
    fetch(`${stub.url}/manage/v1/pos/stores`),
  ]);
  expect([made.status, unknown.status, refused.status]).toEqual([201, 404, 401]);
  expect(await unknown.json()).toMatchObject({ error: { code: 'unknown_operation' } });
  const { data } = (await (await fetch(`${stub.url}/manage/v1/calls?api=manage`, { headers })).json()) as { data: object[] };
  expect(data).toHaveLength(3);
  expect(stub.calls()).toEqual([]);
});
