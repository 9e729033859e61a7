import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Call } from './calls.ts';
import { cpuSeconds, type Running } from './process.ts';

export interface Load {
  seconds: number;
  connections: number;
  /** The folder for wrk's scripts. */
  folder: string;
}

export interface Served {
  perSecond: number;
  /** CPU time of the server for each call. Less noisy than calls per second on a busy machine. */
  cpuMicroseconds: number;
}

/** Measures the server under load. Throws if a call is refused. */
export async function serve(
  { origin, child: { pid = 0 } }: Running,
  call: Call,
  token: string,
  { seconds, connections, folder }: Load,
): Promise<Served> {
  const cpuBefore = cpuSeconds(pid);
  const args = [
    '-t1',
    '--timeout',
    '10s',
    `-c${connections}`,
    `-d${seconds}s`,
    '-H',
    `Authorization: Bearer ${token}`,
    `${origin}${call.path}`,
  ];
  if ('body' in call) args.unshift('-s', scriptOf(call.body, folder));
  const { stdout } = await promisify(execFile)('wrk', args).catch((error) => {
    throw error.code === 'ENOENT' ? new Error('wrk is not installed: apt-get install wrk') : error;
  });
  const refused = /Non-2xx.*|Socket errors.*/.exec(stdout);
  if (refused) throw new Error(refused[0]);
  const calls = Number(/(\d+) requests in/.exec(stdout)?.[1]);
  return {
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
    cpuMicroseconds: ((cpuSeconds(pid) - cpuBefore) * 1e6) / calls,
  };
}

/** Makes 1,000 calls, four at a time, as a test suite would. Throws if a call is refused. */
export async function warmUp({ origin }: Running, { method, path }: Call, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const callInTurn = async () => {
    for (let call = 0; call < 250; call++) {
      const reply = await fetch(`${origin}${path}`, { method, headers });
      await reply.arrayBuffer();
      if (!reply.ok) throw new Error(`a call was refused with ${reply.status}`);
    }
  };
  await Promise.all(Array.from({ length: 4 }, callInTurn));
}

function scriptOf(body: unknown, folder: string): string {
  const file = join(folder, 'post.lua');
  const lines = [
    'wrk.method = "POST"',
    `wrk.body = ${JSON.stringify(JSON.stringify(body))}`,
    'wrk.headers["Content-Type"] = "application/json"',
  ];
  writeFileSync(file, lines.join('\n'));
  return file;
}
