import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startStub } from '../../stubs/stub.ts';
import { eventually } from '../eventually.ts';

const script = `
  import { registerHooks } from 'node:module';
  const loaded = [];
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  const { startStub } = await import('./stubs/stub.ts');
  const stub = await startStub(process.argv[1]);
  const atStart = [...loaded];
  const reply = await fetch(stub.url + '/api/v1/me');
  await reply.text();
  await stub.reset();
  await stub.close();
  console.log(JSON.stringify({ atStart, loaded }));
`;

const packages = [
  ...['@electric-sql/pglite', '@fastify/swagger', '@pact-foundation/pact', '@scalar/fastify-api-reference', 'ajv', 'bullmq'],
  ...['commander', 'ioredis', 'kysely', 'marked', 'pg', 'pino-pretty', 'prom-client', 'undici', 'yaml'],
];
/** Modules that a stub does not need before its first webhook. Some of them once made its start slow. */
const heavy = [
  ...packages.map((name) => `/node_modules/${name}/`),
  ...['/gateway/console/', '/gateway/manage/open.', '/gateway/profile/open.', '/contracts/tools/states/'],
  ...['/stubs/control/', '/stubs/assume/live.'],
];
/** The help of a refusal quotes the register. */
const heavyAtStart = '/spec/gaps/gaps.';

/** Runs a program in the root folder, and returns what it prints as JSON. */
function run(program: string, ...args: string[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const options = { cwd: new URL('../..', import.meta.url) };
    execFile(process.execPath, ['--input-type=module', '-e', program, ...args], options, (error, stdout) =>
      error ? reject(error) : resolve(JSON.parse(stdout)),
    );
  });
}

test.each(['pos', 'cohesion'])('a stub of %s loads no unneeded module', async (api) => {
  const { atStart, loaded } = (await run(script, api)) as { atStart: string[]; loaded: string[] };
  expect(loaded.join()).toContain('/node_modules/fastify/');
  expect(loaded.flatMap((url) => /\/gateway\/api\/(\w+)\/api\./.exec(url)?.[1] ?? [])).toEqual([api]);
  expect(loaded.filter((url) => heavy.some((part) => url.includes(part)))).toEqual([]);
  expect(atStart.filter((url) => url.includes(heavyAtStart))).toEqual([]);
});

const startOnly = `
  const { startStub } = await import('./stubs/stub.ts');
  const stub = await startStub('pos');
  console.log(JSON.stringify(process.moduleLoadList.filter((name) => name.includes('undici'))));
  await stub.close();
`;

/** If our code imports `node:http`, Node reads all of its exports, which loads fetch. That was a tenth of a start. */
test("the start of a stub does not load Node's fetch", async () => {
  expect(await run(startOnly)).toEqual([]);
});

test('the next start finds compiled code, even if the first one was killed', async () => {
  const cache = mkdtempSync(join(tmpdir(), 'passerelle-cache-'));
  onTestFinished(() => rmSync(cache, { recursive: true }));
  const child = spawn(process.execPath, ['cli/bin.js', 'stub', 'pos', '--port', '0', '--quiet'], {
    cwd: new URL('../..', import.meta.url),
    env: { ...process.env, NODE_COMPILE_CACHE: cache },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const cached = () => readdirSync(cache, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;
  await once(child.stdout, 'data');
  await eventually(() => expect(cached()).toBeGreaterThan(100));
  child.kill('SIGKILL');
  await once(child, 'exit');
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
