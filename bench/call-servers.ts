import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { cpuSeconds } from './cpu-seconds.ts';

/** A server under measurement. */
export interface Server {
  child: ChildProcess;
  /** What it printed when it was ready. */
  ready: unknown;
}

export interface Gateway extends Server {
  ready: {
    url: string;
    operator: { token: string };
    cohesion: { baseUrl: string; tokens: { token: string }[] };
  };
}

/** The servers of one benchmark of calls, and the folder of their data. */
export class CallServers {
  readonly folder = mkdtempSync(join(tmpdir(), 'passerelle-bench-'));
  readonly #started: ChildProcess[] = [];

  /** Starts a program and waits for its line of JSON. */
  async start(args: string[], env: Record<string, string> = {}): Promise<Server> {
    const child = spawn(process.execPath, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    this.#started.push(child);
    for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
      if (line.startsWith('{')) return { child, ready: JSON.parse(line) };
    }
    throw new Error(`${args.join(' ')} ended before it was ready`);
  }

  /** Starts a gateway on the embedded tier. Limits count as usual, but are too high to refuse a call, as is the longest wait. */
  async startGateway(nodeOptions: string[] = []): Promise<Gateway> {
    const env = {
      PORT: '0',
      DEMO: 'on',
      DATA_DIR: join(this.folder, 'gateway'),
      LOG_LEVEL: 'warn',
      MAX_CALL_WAIT_MS: '60000',
      OPERATION_LIMITS: 'readMe=100000000/min,readIndicator=100000000/min',
    };
    return (await this.start([...nodeOptions, 'gateway/server.ts', '--json'], env)) as Gateway;
  }

  stop(): void {
    for (const child of this.#started) child.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The demo token that holds every ability. */
export const tokenOf = ({ ready }: Gateway): string => ready.cohesion.tokens.at(-1)?.token ?? '';

export interface Load {
  token: string;
  seconds: number;
  connections: number;
  /** The paths to call in turns, in place of the URL's. */
  paths?: readonly string[] | undefined;
  /** The load lasts as many times longer as so many calls need. */
  leastCalls?: number;
}

export interface Measured {
  calls: number;
  perSecond: number;
  /** CPU time of the server, with all threads, for each call. Less noisy than calls per second. */
  cpuMicroseconds: number;
  p50Ms: number;
  p99Ms: number;
}

/** Calls a server with wrk, for `seconds` or as many times longer as `leastCalls` need. Throws if a call is refused. */
export async function measure(
  url: string,
  { child }: Server,
  { token, seconds, connections, leastCalls = 0, paths }: Load,
): Promise<Measured> {
  const cpuBefore = cpuSeconds(child);
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '-H', `Authorization: Bearer ${token}`, url];
  if (paths) args.unshift('-s', join(import.meta.dirname, 'paths.lua'));
  if (paths) args.push('--', ...paths);
  let stdout = '';
  let calls = 0;
  let runs = 0;
  const figure = (pattern: RegExp) => pattern.exec(stdout) ?? [];
  do {
    stdout = await wrk(args);
    calls += Number(figure(/(\d+) requests in/)[1]);
    runs += 1;
  } while (calls < leastCalls);
  const ms = ([, value, unit]: (string | undefined)[]) =>
    Number(value) * ({ us: 0.001, ms: 1, s: 1000 }[unit ?? ''] ?? Number.NaN);
  return {
    calls,
    perSecond: calls / (runs * seconds),
    cpuMicroseconds: ((cpuSeconds(child) - cpuBefore) * 1e6) / calls,
    p50Ms: ms(figure(/50%\s+([\d.]+)(us|ms|s)/)),
    p99Ms: ms(figure(/99%\s+([\d.]+)(us|ms|s)/)),
  };
}

async function wrk(args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('wrk', args).catch((error) => {
    throw error.code === 'ENOENT' ? new Error('wrk is not installed: apt-get install wrk') : error;
  });
  if (/Non-2xx|\b0 requests in/.test(stdout)) throw new Error(`calls were refused or not answered:\n${stdout}`);
  return stdout;
}

/** Calls a server with hey, at a pace that the connections share. wrk has none: it calls as often as the server answers. */
export async function pacedCalls(
  url: string,
  token: string,
  { perSecond, seconds, connections }: { perSecond: number; seconds: number; connections: number },
): Promise<string> {
  const pace = ['-z', `${seconds}s`, '-c', String(connections), '-q', String(Math.round(perSecond / connections))];
  const ran = await promisify(execFile)('hey', [...pace, '-H', `Authorization: Bearer ${token}`, url]).catch((error) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!ran) return 'at 80 %: skipped, hey is not installed';
  const { stdout } = ran;
  const statuses = [...stdout.matchAll(/\[(\d+)\]\s+\d+ responses/g)].map(([, status]) => status);
  if (statuses.join() !== '200' || stdout.includes('Error distribution')) throw new Error(`calls were refused:\n${stdout}`);
  const ms = (share: number) => `${(Number(new RegExp(`${share}% in ([\\d.]+) secs`).exec(stdout)?.[1]) * 1000).toFixed(1)} ms`;
  const made = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
  return `${made.toFixed(0)} calls a second (80 % is ${perSecond.toFixed(0)}): p50 ${ms(50)}, p99 ${ms(99)}`;
}
