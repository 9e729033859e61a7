/**
 * Measures a call through the whole request pipeline (recorded, identified, limited, validated, serialized) against bare
 * Fastify with the same reply, and against bare Fastify that records it. Prints ratios; medians of interleaved rounds.
 *
 *     npm run bench -- [--seconds 5] [--rounds 5] [--connections 50]
 *
 * Needs wrk (Debian: apt-get install wrk). Server, load and database share the machine's cores.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs, promisify } from 'node:util';
import { cpuSeconds } from './cpu-seconds.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '50' },
  },
});

interface Measured {
  perSecond: number;
  /** CPU time of the server, with all threads, for each call. Less noisy than calls per second. */
  cpuMicroseconds: number;
  p50Ms: number;
  p99Ms: number;
}

const print = (line: string) => process.stdout.write(`${line}\n`);
const run = promisify(execFile);
const dataDir = mkdtempSync(join(tmpdir(), 'passerelle-bench-'));
const started: ChildProcess[] = [];

/** Starts a program and waits for its line of JSON. */
async function start(args: string[], env: Record<string, string> = {}): Promise<Record<string, never>> {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('{')) return JSON.parse(line);
  }
  throw new Error(`${args.join(' ')} ended before it was ready`);
}

async function load(url: string, token: string, server: ChildProcess): Promise<Measured> {
  const cpuBefore = cpuSeconds(server);
  const args = [
    '-t1',
    `-c${values.connections}`,
    `-d${values.seconds}s`,
    '--latency',
    '-H',
    `Authorization: Bearer ${token}`,
    url,
  ];
  const { stdout } = await run('wrk', args).catch((error) => {
    throw error.code === 'ENOENT' ? new Error('wrk is not installed: apt-get install wrk') : error;
  });
  if (/Non-2xx/.test(stdout)) throw new Error(`calls were refused:\n${stdout}`);
  const figure = (pattern: RegExp) => pattern.exec(stdout) ?? [];
  const ms = ([, value, unit]: (string | undefined)[]) =>
    Number(value) * ({ us: 0.001, ms: 1, s: 1000 }[unit ?? ''] ?? Number.NaN);
  return {
    perSecond: Number(figure(/Requests\/sec:\s+([\d.]+)/)[1]),
    cpuMicroseconds: ((cpuSeconds(server) - cpuBefore) * 1e6) / Number(figure(/(\d+) requests in/)[1]),
    p50Ms: ms(figure(/50%\s+([\d.]+)(us|ms|s)/)),
    p99Ms: ms(figure(/99%\s+([\d.]+)(us|ms|s)/)),
  };
}

const median = (numbers: number[]): number => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] as number;

async function main(): Promise<void> {
  // Limits count as usual, but are too high to refuse a call.
  const env = {
    PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    OPERATION_LIMITS: 'readMe=100000000/min,readIndicator=100000000/min',
  };
  const gateway = (await start(['gateway/server.ts', '--json'], env)) as unknown as {
    url: string;
    operator: { token: string };
    cohesion: { baseUrl: string; tokens: { token: string }[] };
  };
  const token = gateway.cohesion.tokens.at(-1)?.token ?? '';
  const get = async (path: string) => (await fetch(path, { headers: { authorization: `Bearer ${token}` } })).json();
  const me = await get(`${gateway.cohesion.baseUrl}/me`);
  const json = JSON.stringify(me);
  const bare = (await start(['bench/bare.ts', json])) as unknown as { url: string };
  const thin = (await start(['bench/thin.ts', json, join(dataDir, 'thin')])) as unknown as { url: string };

  const [gatewayProcess, bareProcess, thinProcess] = started as [ChildProcess, ChildProcess, ChildProcess];
  const variants = {
    'bare Fastify': [bare.url, bareProcess],
    'bare Fastify that names and records each call': [thin.url, thinProcess],
    'whole way, no query in the verb (/me)': [`${gateway.cohesion.baseUrl}/me`, gatewayProcess],
    'whole way, one query in the verb (/indicateurs/1)': [`${gateway.cohesion.baseUrl}/indicateurs/1`, gatewayProcess],
  } as const;
  const measured = new Map<string, Measured[]>(Object.keys(variants).map((name) => [name, []]));
  for (let round = 0; round <= Number(values.rounds); round++) {
    for (const [name, [url, server]] of Object.entries(variants)) {
      const result = await load(url, token, server);
      // The first round warms up.
      if (round > 0) measured.get(name)?.push(result);
    }
  }

  const bareRuns = measured.get('bare Fastify') ?? [];
  print(`${values.rounds} rounds of ${values.seconds} s, ${values.connections} connections, Node ${process.version}`);
  print('variant | ratio to bare | calls/s | p50 ms | p99 ms | CPU us/call');
  for (const [name, runs] of measured) {
    const ratio = median(runs.map((one, round) => one.perSecond / (bareRuns[round]?.perSecond ?? Number.NaN)));
    const of = (key: keyof Measured) => median(runs.map((one) => one[key]));
    print(
      `${name} | ${ratio.toFixed(2)} | ${of('perSecond').toFixed(0)} | ${of('p50Ms').toFixed(1)} | ${of('p99Ms').toFixed(1)} | ${of('cpuMicroseconds').toFixed(0)}`,
    );
  }
  const calls = (await (
    await fetch(`${gateway.url}/manage/v1/calls?limit=1`, { headers: { authorization: `Bearer ${gateway.operator.token}` } })
  ).json()) as { recorder: { lost: number } };
  print(`records lost under this load: ${calls.recorder.lost}`);
}

try {
  await main();
} finally {
  for (const child of started) child.kill('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
}
