/** Measures calls to a gateway beside bare Fastify with zod: `npm run bench -- --help`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Greeting } from '../gateway/start/greeting.ts';
import { type Call, callFor, warmUp } from './load.ts';
import { cpuUs, type Figure, printFigures, readOptions, tell, withProfile } from './measure.ts';

const help = `Usage: npm run bench -- [--rounds 5] [--seconds 5] [--only TEXT] [--profile] [--json]

Measures three calls to a gateway on the embedded tier, each beside bare Fastify with zod: GET /me (no query),
GET /indicateurs/1 (one query) and POST /sales (a change with its event, which no endpoint wants). The gateway
records every call. Each variant runs in a process of its own in each round. Its CPU, with all threads, and its
time count until every call is stored. The embedded database is a thread of the gateway. wrk shares the
machine's cores (Debian: apt-get install wrk).

  --only TEXT  the calls with this text in their name
  --profile    one round, in which the gateway writes a CPU profile of each of its threads to bench/profiles`;

const options = readOptions(help, { rounds: 5, seconds: 5 });
const rounds = options.profile ? 1 : options.rounds;

interface Case {
  name: string;
  api: 'pos' | 'cohesion';
  path: string;
  body?: object;
}

/** The quantity is so small that the stock outlasts any run. */
const sale = {
  store_id: 'STORE-ABJ-01',
  items: [{ product_id: 'PRD-0001', quantity: 0.000001, price: 0 }],
  payment_method: 'cash',
  customer_phone: '+2250701020304',
  total: 0,
};
const cases: readonly Case[] = [
  { name: 'GET /me', api: 'cohesion', path: '/me' },
  { name: 'GET /indicateurs/1', api: 'cohesion', path: '/indicateurs/1' },
  { name: 'POST /sales', api: 'pos', path: '/sales', body: sale },
];

interface Server<Ready> {
  pid: number;
  /** What it printed when it was ready. */
  ready: Ready;
  stop(): Promise<void>;
}

/** Starts a program and waits for its line of JSON. */
async function start<Ready>(args: string[], env: Record<string, string> = {}): Promise<Server<Ready>> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('{')) continue;
    return {
      pid: child.pid as number,
      ready: JSON.parse(line),
      async stop() {
        // Profiles are written by an orderly end.
        child.kill('SIGTERM');
        await ended;
      },
    };
  }
  throw new Error(`${args.join(' ')} ended before it was ready`);
}

interface Measured {
  /** CPU time of the server for each call, in microseconds. */
  cpuUs: number;
  perSecond: number;
}

/** `drain` resolves when everything that the calls left behind is stored. */
async function measure(pid: number, call: Call, drain: () => Promise<void>): Promise<Measured> {
  await warmUp(call);
  await drain();
  const cpuBefore = cpuUs(pid);
  const began = performance.now();
  const calls = await callFor(options.seconds, call);
  await drain();
  const seconds = (performance.now() - began) / 1000;
  return { cpuUs: (cpuUs(pid) - cpuBefore) / calls, perSecond: calls / seconds };
}

async function measureBare({ path, body }: Case): Promise<Measured> {
  const server = await start<{ url: string }>(['bench/bare.ts', '0']);
  const call = { url: `${server.ready.url}/api/v1${path}`, token: 'any', body };
  const measured = await measure(server.pid, call, async () => {});
  await server.stop();
  return measured;
}

async function measureGateway({ api, path, body }: Case): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'passerelle-bench-'));
  const environment = {
    PORT: '0',
    DEMO: 'on',
    DATA_DIR: folder,
    LOG_LEVEL: 'warn',
    MAX_CALL_WAIT_MS: '60000',
    // Limits count as usual, but are too high to refuse a call.
    OPERATION_LIMITS: 'readMe=100000000/min,readIndicator=100000000/min',
  };
  const server = await start<Greeting>(withProfile(options.profile, ['gateway/server.ts', '--json']), environment);
  const call = { url: `${server.ready[api].baseUrl}${path}`, token: await tokenFor(api, server.ready), body };
  const measured = await measure(server.pid, call, () => drainRecorder(server.ready));
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
  return measured;
}

/** Returns a token with every ability and without a limit of its own. */
async function tokenFor(api: Case['api'], { url, pos, cohesion }: Greeting): Promise<string> {
  if (api === 'cohesion') return cohesion.tokens?.at(-1)?.token ?? '';
  const account = pos.accounts?.find(({ plan }) => plan === 'enterprise');
  const reply = await fetch(`${url}/pos/api/auth`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: account?.apiKey, api_secret: account?.apiSecret }),
  });
  return ((await reply.json()) as { token: string }).token;
}

/** Waits until the recorder has stored every call: whoever lists calls sees all that ended before. */
async function drainRecorder({ url, operator }: Greeting): Promise<void> {
  const headers = { authorization: `Bearer ${operator.token}` };
  for (;;) {
    const reply = await fetch(`${url}/manage/v1/calls?limit=1`, { headers });
    const { recorder } = (await reply.json()) as { recorder: { backlog: number; lost: number } };
    if (recorder.lost > 0) tell(`${recorder.lost} records were lost, so the CPU of a call is understated.`);
    if (recorder.backlog === 0) return;
  }
}

const figures: Figure[] = [];
for (const one of cases.filter(({ name }) => name.includes(options.only ?? ''))) {
  const bare: Measured[] = [];
  const gateway: Measured[] = [];
  for (let round = 1; round <= rounds; round++) {
    bare.push(await measureBare(one));
    gateway.push(await measureGateway(one));
    tell(`${one.name}, round ${round} of ${rounds}: ${gateway.at(-1)?.cpuUs.toFixed(0)} µs of CPU a call`);
  }
  figures.push({
    what: `\`${one.name}\`: CPU of a call`,
    unit: 'µs',
    rounds: gateway.map((measured) => measured.cpuUs),
    bare: bare.map((measured) => measured.cpuUs),
  });
  figures.push({
    what: `\`${one.name}\`: calls`,
    unit: 'a second',
    rounds: gateway.map((measured) => measured.perSecond),
    bare: bare.map((measured) => measured.perSecond),
  });
}
printFigures(figures, options.json);
