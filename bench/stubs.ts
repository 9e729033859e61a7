/** Measures the command `passerelle stub` beside bare Fastify with zod: `npm run bench:stubs -- --help`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from '../packaging/bundle.ts';
import type { Stub } from '../stubs/types.ts';
import { freePort } from '../test/free-port.ts';
import { type Call, callFor, warmUp } from './load.ts';
import { cpuUs, type Figure, printFigures, readOptions, residentMb, tell, type Unit, withProfile } from './measure.ts';

const help = `Usage: npm run bench:stubs -- [--rounds 5] [--seconds 5] [--profile] [--json]

Measures \`passerelle stub pos\`, from the package that is built first, beside bare Fastify with zod: time to the
first reply, memory after 1,000 calls and under load, and CPU of a call and calls a second, for a read (GET
/inventory) and for a write whose body is validated (POST /sales). Each variant runs in a process of its own in
each round. wrk shares the machine's cores (Debian: apt-get install wrk).

  --profile  one round, in which the variants write CPU profiles to bench/profiles`;

const options = readOptions(help, { rounds: 5, seconds: 5 });
const rounds = options.profile ? 1 : options.rounds;
const root = join(import.meta.dirname, '..');
const command = join(root, 'dist/cli/bin.js');
if (!existsSync(command)) throw new Error(`${command} does not exist. Build it first: npm run build.`);

const read = '/api/v1/inventory?store_id=STORE-ABJ-01';
const write = '/api/v1/sales';
/** The quantity is so small that the stock outlasts any run. */
const sale = {
  store_id: 'STORE-ABJ-01',
  items: [{ product_id: 'PRD-0001', quantity: 0.000001, price: 0 }],
  payment_method: 'cash',
  customer_phone: '+2250701020304',
  total: 0,
};

interface Variant {
  /** Arguments of Node for a server on this port. */
  args(port: number): string[];
  /** Returns a token for calls. */
  token(url: string): Promise<string>;
}

/** Bare Fastify as JavaScript, as the package is. Otherwise Node would strip its types at each start. */
async function compileBare(): Promise<string> {
  const { files } = await bundle(join(root, 'bench'), ['bare.ts'], (name) => /^[@a-z]/.test(name));
  const folder = join(root, 'node_modules/.cache/passerelle-bench');
  mkdirSync(folder, { recursive: true });
  for (const [path, code] of files) writeFileSync(join(folder, path), code);
  return join(folder, 'bare.ts.js');
}

const bareProgram = await compileBare();
const bareFastify: Variant = {
  args: (port) => [bareProgram, String(port)],
  token: async () => 'any',
};
const stub: Variant = {
  args: (port) => [command, 'stub', 'pos', '--port', String(port), '--quiet'],
  async token(url) {
    const { data } = (await (await fetch(`${url}/_stub`)).json()) as {
      data: Pick<Stub<'pos'>, 'credentials'>;
    };
    const reply = await fetch(`${url}/api/auth`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: data.credentials.apiKey, api_secret: data.credentials.apiSecret }),
    });
    return ((await reply.json()) as { token: string }).token;
  },
};

interface Running {
  child: ChildProcess;
  url: string;
  /** From the start of the process to the end of its first reply, with any status. */
  firstReplyMs: number;
  stop(): Promise<void>;
}

async function start({ args }: Variant): Promise<Running> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const began = performance.now();
  const child = spawn(process.execPath, withProfile(options.profile, args(port)), {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  while (!(await answers(`${url}${read}`)))
    if (child.exitCode !== null) throw new Error(`${child.spawnargs.join(' ')} ended with ${child.exitCode}`);
  return {
    child,
    url,
    firstReplyMs: performance.now() - began,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    await (await fetch(url)).arrayBuffer();
    return true;
  } catch {
    // It does not listen yet. The pause limits the precision to 2 ms.
    await new Promise((resolve) => setTimeout(resolve, 2));
    return false;
  }
}

interface Measured {
  firstReplyMs: number;
  /** Memory after 1,000 calls, and after the load. */
  warmMb: number;
  loadedMb: number;
  getCpuUs: number;
  getPerSecond: number;
  postCpuUs: number;
  postPerSecond: number;
}

async function measure(variant: Variant): Promise<Measured> {
  const running = await start(variant);
  const pid = running.child.pid as number;
  const token = await variant.token(running.url);
  await callThousandTimes(`${running.url}${read}`, token);
  const warmMb = residentMb(pid);
  const get = await measureCall(pid, { url: `${running.url}${read}`, token });
  const post = await measureCall(pid, { url: `${running.url}${write}`, token, body: sale });
  const loadedMb = residentMb(pid);
  await running.stop();
  return {
    firstReplyMs: running.firstReplyMs,
    warmMb,
    loadedMb,
    getCpuUs: get.cpuUs,
    getPerSecond: get.perSecond,
    postCpuUs: post.cpuUs,
    postPerSecond: post.perSecond,
  };
}

/** As a test suite calls: four at a time. */
async function callThousandTimes(url: string, token: string): Promise<void> {
  const callInTurn = async () => {
    for (let call = 0; call < 250; call++) {
      const reply = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
      await reply.arrayBuffer();
      if (!reply.ok) throw new Error(`${url} was refused with ${reply.status}`);
    }
  };
  await Promise.all(Array.from({ length: 4 }, callInTurn));
}

/** A stub stores in memory before it replies, so nothing is left to wait for. */
async function measureCall(pid: number, call: Call): Promise<{ cpuUs: number; perSecond: number }> {
  await warmUp(call);
  const before = cpuUs(pid);
  const calls = await callFor(options.seconds, call);
  return { cpuUs: (cpuUs(pid) - before) / calls, perSecond: calls / options.seconds };
}

// The first start of each is not counted: the machine's caches are cold.
for (const variant of [bareFastify, stub]) await (await start(variant)).stop();
const bare: Measured[] = [];
const measured: Measured[] = [];
for (let round = 1; round <= rounds; round++) {
  bare.push(await measure(bareFastify));
  measured.push(await measure(stub));
  tell(`stub, round ${round} of ${rounds}: ${measured.at(-1)?.firstReplyMs.toFixed(0)} ms to the first reply`);
}

const figureOf = (what: string, unit: Unit, key: keyof Measured): Figure => ({
  what,
  unit,
  rounds: measured.map((one) => one[key]),
  bare: bare.map((one) => one[key]),
});
const figures = [
  figureOf('stub: first reply after', 'ms', 'firstReplyMs'),
  figureOf('stub: memory after 1,000 calls', 'MB', 'warmMb'),
  figureOf('stub: memory under load', 'MB', 'loadedMb'),
  figureOf('stub, `GET /inventory`: CPU of a call', 'µs', 'getCpuUs'),
  figureOf('stub, `GET /inventory`: calls', 'a second', 'getPerSecond'),
  figureOf('stub, `POST /sales`: CPU of a call', 'µs', 'postCpuUs'),
  figureOf('stub, `POST /sales`: calls', 'a second', 'postPerSecond'),
];
printFigures(figures, options.json);
