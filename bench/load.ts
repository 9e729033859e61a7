import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A call that a variant answers again and again. With a body it is a POST. */
export interface Call {
  url: string;
  token: string;
  body?: object | undefined;
}

/** Enough to keep one core busy. Few calls are under way when a round ends, which are not counted. */
const connections = 20;

/** Calls as often as the server answers. Returns how many calls were answered. Throws if one was refused. */
export async function callFor(seconds: number, { url, token, body }: Call): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'passerelle-wrk-'));
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-H', `Authorization: Bearer ${token}`];
  if (body) {
    const script = join(folder, 'post.lua');
    writeFileSync(script, scriptOf(body));
    args.push('-s', script);
  }
  try {
    const { stdout } = await promisify(execFile)('wrk', [...args, url]);
    const refused = /Non-2xx.*|Socket errors.*|\b0 requests in/.exec(stdout)?.[0];
    if (refused) throw new Error(`calls to ${url} were refused or not answered: ${refused}`);
    return Number(/(\d+) requests in/.exec(stdout)?.[1]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new Error('wrk is not installed: apt-get install wrk');
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The first thousands of calls cost more, because Node has not compiled their code yet. */
const warmUpCalls = 3000;

/** Calls until the variant is warm. */
export async function warmUp(call: Call): Promise<void> {
  let calls = 0;
  while (calls < warmUpCalls) calls += await callFor(2, call);
}

const scriptOf = (body: object): string =>
  [
    'wrk.method = "POST"',
    `wrk.body = ${JSON.stringify(JSON.stringify(body))}`,
    'wrk.headers["Content-Type"] = "application/json"',
  ].join('\n');
