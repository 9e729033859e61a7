import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';

export interface Running {
  child: ChildProcess;
  origin: string;
  /** Time from the start of the program to the end of its first reply. */
  firstReplyMs: number;
  stop(): Promise<void>;
}

const startTimeoutMs = 30_000;

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts a program and calls it until it replies, with any status. */
export async function run([program = '', ...args]: string[], port: number, path: string): Promise<Running> {
  const startedMs = performance.now();
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => output.splice(20, 1, chunk.toString()));
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => resolve(void output.push(error.message)));
    child.once('exit', () => resolve());
  });
  let over = false;
  ended.then(() => {
    over = true;
  });
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  const origin = `http://127.0.0.1:${port}`;
  while (!over && performance.now() - startedMs < startTimeoutMs) {
    if (await answers(`${origin}${path}`)) return { child, origin, firstReplyMs: performance.now() - startedMs, stop };
  }
  await stop();
  throw new Error(`the program did not start: ${output.join('').trim().split('\n').slice(-3).join(' / ').slice(0, 300)}`);
}

async function answers(url: string): Promise<boolean> {
  try {
    await (await fetch(url, { headers: { authorization: 'Bearer any' } })).arrayBuffer();
    return true;
  } catch {
    // The program does not listen yet. The pause limits the precision to 2 ms, less than 1 % of a start.
    await new Promise((resolve) => setTimeout(resolve, 2));
    return false;
  }
}

/** Memory of a process and its children, in MB. */
export const residentMb = (pid: number): number =>
  ofTree(pid, (one) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${one}/status`, 'utf8'))?.[1]) / 1024);

/** CPU time of a process and its children, in seconds. A clock tick is a hundredth of a second. */
export const cpuSeconds = (pid: number): number =>
  ofTree(pid, (one) => {
    const fields = readFileSync(`/proc/${one}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  });

/** Adds a figure up over a process and its children. NaN on systems other than Linux. */
function ofTree(pid: number, figureOf: (pid: number) => number): number {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
    return children.reduce((sum, child) => sum + ofTree(child, figureOf), figureOf(pid));
  } catch {
    return Number.NaN;
  }
}
