import { type ChildProcess, spawn } from 'node:child_process';
import { startProgram } from '../../../stubs/suite/program.ts';
import { failedTestsIn, lastLinesOf } from './tests.ts';
import type { Failure, ProbeRun } from './types.ts';

/** Enough for the report of a large suite, in characters. */
const outputKept = 8 * 1024 * 1024;
/** How long a program may take to end after SIGTERM. */
const graceMs = 2000;
/** How long its output may stay open after its end: a daemon may hold it. */
const drainMs = 500;

/** Runs a command, which passes if it exits with 0. Nothing of its process group is left then. Throws `NotStarted`. */
export async function runCommand(words: readonly string[], { env, signal }: ProbeRun): Promise<Failure | undefined> {
  signal.throwIfAborted();
  const { child, ended } = startProgram(words, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    // A group of its own can be ended as a whole.
    detached: process.platform !== 'win32',
  });
  /** The end of its standard output and error, as they came. */
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.length > 2 * outputKept) output = output.slice(-outputKept);
    });
  const closed = new Promise((close) => child.once('close', close));
  let grace: NodeJS.Timeout | undefined;
  const end = () => {
    killGroup(child, 'SIGTERM');
    grace = setTimeout(() => killGroup(child, 'SIGKILL'), graceMs);
  };
  signal.addEventListener('abort', end, { once: true });
  try {
    const { code, endedBy } = await ended;
    killGroup(child, 'SIGKILL');
    await Promise.race([closed, new Promise((late) => setTimeout(late, drainMs).unref())]);
    if (code === 0 && !signal.aborted) return undefined;
    const reason = code === null ? `ended by ${endedBy}` : `exit code ${code}`;
    return { reason, failedTests: failedTestsIn(output), lastLines: lastLinesOf(output) };
  } finally {
    signal.removeEventListener('abort', end);
    clearTimeout(grace);
    for (const stream of [child.stdout, child.stderr]) stream?.destroy();
  }
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
