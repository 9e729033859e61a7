import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { runHere } from '../program.ts';
import { call, openReceiver, openStub } from './partner.ts';

const program = join(import.meta.dirname, '../../cli/bin.js');
const env = { PATH: process.env.PATH ?? '' };

/** Starts `passerelle stub` as a user does, and collects its lines. */
function start(...args: string[]) {
  const child: ChildProcess = spawn(process.execPath, [program, 'stub', ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  const next = async () => (await lines.next()).value as string;
  return { child, next };
}

const run = (...args: string[]) => runHere(args);

test('it prints working credentials and one line per call, and Ctrl-C ends it with exit code 0', async () => {
  const { child, next } = start('pos', '--port', '0', '--plan', 'pro');
  const greeting: string[] = [];
  for (let line = await next(); !line.includes('Next:'); line = await next()) greeting.push(line);
  const text = greeting.join('\n');
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0] ?? '';
  const [, api_key = '', plan] = /API key +(\S+) +\((\w+)\)/.exec(text) ?? [];
  const [, api_secret = ''] = /API secret +(\S+)/.exec(text) ?? [];
  expect(plan).toBe('pro');
  expect(text).toContain(`'${url}/api/auth'`);
  expect((await call({ url }, 'POST', '/api/auth', { body: { api_key, api_secret } })).status).toBe(200);
  expect(await next()).toBe('');
  expect(await next()).toMatch(/^\d\d:\d\d:\d\d {2}POST +\/api\/auth {2}200 {2}[\d.]+ ms$/);
  await call({ url }, 'GET', '/api/v1/inventory');
  expect(await next()).toMatch(/GET +\/api\/v1\/inventory {2}401 .*The Authorization header is missing/);
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('--json, own webhooks, a clock, faults and no explanations', async () => {
  const receiver = await openReceiver(204);
  const hook = ['--webhook', `${receiver.url}=intervention.validated`];
  const flags = [...hook, '--clock', '2026-03-01T08:00:00Z', '--no-help', '--no-limits'];
  const { next } = start('cohesion', '--port', '0', '--json', '--fault', 'readStats:status=503', ...flags);
  const started = JSON.parse(await next());
  expect(started).toMatchObject({
    kind: 'started',
    api: 'cohesion',
    endpoints: [{ url: receiver.url, events: ['intervention.validated'] }],
  });
  const refused = await call(started, 'GET', '/api/v1/me');
  expect(Object.keys(refused.body)).toEqual(['message']);
  expect(JSON.parse(await next())).toMatchObject({ kind: 'call', operation: 'readMe', status: 401 });
  expect((await call(started, 'GET', '/api/v1/stats')).status).toBe(503);
  expect(JSON.parse(await next())).toMatchObject({ fault: 'readStats:status=503' });
  const sent = await run('trigger', 'intervention.validated', '--at', started.url);
  expect(sent).toMatchObject({ code: 0, stderr: '' });
  expect(sent.stdout).toMatch(/ {2}Intervention \d+ \(INT-.*\) was validated\.\n {2}delivered {2}http.*204 {2}1 attempt/);
  expect(JSON.parse(await next())).toMatchObject({ kind: 'attempt', eventType: 'intervention.validated', status: 'delivered' });
});

test('trigger sends to a URL, merges data, duplicates and advances the clock; an undelivered event exits with 1', async () => {
  const [good, bad] = [await openReceiver(204), await openReceiver(500)];
  const stub = await openStub('pos');
  const at = ['--at', stub.url];
  const sent = await run('trigger', 'sale.completed', '--to', good.url, '--data', '{"total": 77}', '--duplicate', ...at);
  expect(sent).toMatchObject({ code: 0, stderr: '' });
  expect(sent.stdout).toContain('An example: nothing changed. Its data was given.');
  expect(good.received.map(({ body }) => JSON.parse(body).data.total)).toEqual([77, 77]);
  const failed = await run('trigger', 'sync.completed', '--to', bad.url, '--advance', '72h', '--json', ...at);
  expect(failed.code).toBe(1);
  const statuses = JSON.parse(failed.stdout)[0].deliveries.map(({ status, attempts }: { status: string; attempts: number }) => [
    status,
    attempts,
  ]);
  // The first URL got the first event only.
  expect(statuses).toEqual([['failed', 10]]);
  const late = await run('trigger', 'sync.completed', '--to', good.url, '--advance', 'soon', ...at);
  expect([late.code, late.stdout, late.stderr]).toEqual([2, '', expect.stringContaining('"soon" is not a duration')]);
  expect(good.received).toHaveLength(2);
});

test('with --until-input-ends it stops with the program that holds its standard input', async () => {
  const child = spawn(process.execPath, [program, 'stub', 'pos', '--port', '0', '--quiet', '--until-input-ends'], { env });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [url] = await once(child.stdout.setEncoding('utf8'), 'data');
  expect((await fetch(`${url.trim()}/_stub`)).status).toBe(200);
  child.stdin.end();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('wrong options give one line and exit code 2', async () => {
  const { url } = await openStub('pos', { seed: 'empty' });
  const cases: [string[], string][] = [
    [['stub', 'pos', '--port', new URL(url).port], 'is taken'],
    [['stub', 'pos', '--seed', '/nowhere.json'], 'The fixtures file /nowhere.json cannot be read'],
    [['stub', 'pos', '--port', '0', '--fault', 'explode'], 'explode'],
    [['stub', 'pos', '--webhook', 'http://127.0.0.1:9/hook=ower=account:acc_demo_pro'], 'not "ower="'],
    [['stub', 'pos', '--webhook', 'http://127.0.0.1:9/hook=owner='], 'The owner after "owner=" is missing'],
    [['stub', 'pos', '--webhook', 'http://127.0.0.1:9/hook='], 'The event types after "=" are missing'],
    [['trigger', 'sale.complete', '--at', url], 'Did you mean sale.completed?'],
    [['trigger', 'sale.completed', '--at', 'http://127.0.0.1:9'], 'Nothing answers at http://127.0.0.1:9'],
  ];
  const check = async ([args, message]: [string[], string]) => {
    const { code, stdout, stderr } = await run(...args);
    expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('    at ');
  };
  for (const one of cases) await check(one);
});
