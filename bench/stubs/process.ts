import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';

export interface Running {
  child: ChildProcess;
  origin: string;
  /** From the start of the program to the end of its first reply. */
  firstReplyMs: number;
  stop(): Promise<void>;
}

const patienceMs = 30_000;

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts a program and asks it until it answers, with whatever status. */
export async function run([program = '', ...args]: string[], port: number, path: string): Promise<Running> {
  const startedMs = performance.now();
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => said.splice(20, 1, chunk.toString()));
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => resolve(void said.push(error.message)));
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
  while (!over && performance.now() - startedMs < patienceMs) {
    if (await answers(`${origin}${path}`)) return { child, origin, firstReplyMs: performance.now() - startedMs, stop };
  }
  await stop();
  throw new Error(`it does not start: ${said.join('').trim().split('\n').slice(-3).join(' / ').slice(0, 300)}`);
}

async function answers(url: string): Promise<boolean> {
  try {
    await (await fetch(url, { headers: { authorization: 'Bearer any' } })).arrayBuffer();
    return true;
  } catch {
    // Nobody listens yet. The pause is what a start is measured to, within 1 %.
    await new Promise((resolve) => setTimeout(resolve, 2));
    return false;
  }
}

/** Memory of a process and of those that it started, in MB. */
export const residentMb = (pid: number): number =>
  ofTree(pid, (one) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${one}/status`, 'utf8'))?.[1]) / 1024);

/** Processor time that a process and those that it started have used. Clock ticks are hundredths of a second. */
export const cpuSeconds = (pid: number): number =>
  ofTree(pid, (one) => {
    const fields = readFileSync(`/proc/${one}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  });

/** Linux only: elsewhere not a number. */
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
