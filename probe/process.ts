import { type ChildProcess, spawn } from 'node:child_process';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';

export interface Ended {
  /** Null if a signal ended it. */
  code: number | null;
  signal: NodeJS.Signals | null;
  timedOut: boolean;
  /** Standard output and error together, as they came. A long output is cut at its start. */
  output: string;
  durationMs: number;
}

/** Enough for the report of a large suite. */
const outputKept = 8 * 1024 * 1024;
/** How long a program may take to end after SIGTERM. */
const graceMs = 2000;
/** How long its output may stay open after its end: a daemon may hold it. */
const drainMs = 500;

/**
 * Runs a program until it ends, or the time is over, or the signal says so. Then nothing of its process group is left. Throws
 * `CouldNotRun` if it cannot be started, and the signal's reason.
 */
export async function runProcess(
  [program = '', ...args]: readonly string[],
  { env, timeoutMs, signal }: { env: NodeJS.ProcessEnv; timeoutMs?: number | undefined; signal?: AbortSignal | undefined },
): Promise<Ended> {
  signal?.throwIfAborted();
  const startedAt = performance.now();
  const onWindows = process.platform === 'win32';
  // A group of its own can be ended as a whole. Windows finds npm, which is a script there, by its shell only.
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env, detached: !onWindows, shell: onWindows });
  const output = new Tail();
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.add(chunk));
  const { promise: exited, resolve, reject } = Promise.withResolvers<Pick<Ended, 'code' | 'signal'>>();
  child.once('error', (error) => reject(new CouldNotRun(`${program} could not be started: ${error.message}.`)));
  child.once('exit', (code, ended) => resolve({ code, signal: ended }));
  const closed = new Promise((close) => child.once('close', close));

  let timedOut = false;
  const end = () => void endGroup(child, exited);
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          timedOut = true;
          end();
        }, timeoutMs);
  signal?.addEventListener('abort', end, { once: true });
  try {
    const how = await exited;
    killGroup(child, 'SIGKILL');
    await Promise.race([closed, new Promise((late) => setTimeout(late, drainMs).unref())]);
    signal?.throwIfAborted();
    return { ...how, timedOut, output: output.text(), durationMs: performance.now() - startedAt };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

async function endGroup(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  killGroup(child, 'SIGTERM');
  const timer = setTimeout(() => killGroup(child, 'SIGKILL'), graceMs);
  await exited.catch(() => {});
  clearTimeout(timer);
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' }).on('error', () => {});
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // Nothing of the group is left.
  }
}

/** The end of a text that comes in pieces. */
class Tail {
  #chunks: Buffer[] = [];
  #bytes = 0;

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    while (this.#bytes > outputKept && this.#chunks.length > 1) this.#bytes -= this.#chunks.shift()?.length ?? 0;
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString();
  }
}
