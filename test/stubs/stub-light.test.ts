import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';

const script = `
  import { registerHooks } from 'node:module';
  const loaded = new Set();
  registerHooks({
    load(url, context, next) {
      const found = /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url);
      if (found) loaded.add(found[1]);
      if (url.includes('/gateway/console/')) loaded.add('the console');
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

/** What a stub has no use for, before its first webhook; and what made its start slow once. */
const heavy = [
  '@electric-sql/pglite',
  '@fastify/rate-limit',
  '@fastify/swagger',
  '@fastify/swagger-ui',
  '@pact-foundation/pact',
  'ajv',
  'bullmq',
  'commander',
  'ioredis',
  'kysely',
  'pg',
  'pino-pretty',
  'prom-client',
  'undici',
  'the console',
  'yaml',
];

test.each(['pos', 'cohesion'])('a stub of %s loads nothing that it has no use for', async (api) => {
  const loaded = await new Promise<string[]>((resolve, reject) => {
    const args = ['--input-type=module', '-e', script, api];
    execFile(process.execPath, args, { cwd: new URL('../..', import.meta.url) }, (error, stdout) =>
      error ? reject(error) : resolve(JSON.parse(stdout)),
    );
  });
  expect(loaded).toContain('fastify');
  expect(loaded.filter((name) => heavy.includes(name))).toEqual([]);
});
