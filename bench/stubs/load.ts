import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Call } from './calls.ts';

export interface Load {
  seconds: number;
  connections: number;
  /** For wrk's scripts. */
  folder: string;
}

/** Calls a second that are answered with success. Throws where one is refused. */
export async function perSecond(origin: string, call: Call, token: string, { seconds, connections, folder }: Load) {
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '-H', `Authorization: Bearer ${token}`, `${origin}${call.path}`];
  if ('body' in call) args.unshift('-s', scriptOf(call.body, folder));
  const { stdout } = await promisify(execFile)('wrk', args).catch((error) => {
    throw error.code === 'ENOENT' ? new Error('wrk is not installed: apt-get install wrk') : error;
  });
  const refused = /Non-2xx.*|Socket errors.*/.exec(stdout);
  if (refused) throw new Error(refused[0]);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
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
