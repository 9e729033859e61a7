import { type ChildProcess, spawn } from 'node:child_process';
import { type Ended, startProgram } from '../../../stubs/suite/program.ts';
import { shellWords } from '../verification/reports/curl.ts';
import type { Runner } from './runs.ts';
import { failedTestsIn, lastLinesOf } from './tests.ts';

/** A command that passes if it exits with 0. */
export const commandRunner = (words: readonly string[]): Runner => ({
  name: shellWords(words),
  async run({ env, signal }) {
    const { code, endedBy, output } = await runProcess(words, { ...process.env, ...env }, signal);
    const passed = code === 0 && !signal.aborted;
    return {
      passed,
      reason: code === null ? `ended by ${endedBy}` : `exit code ${code}`,
      failedTests: passed ? [] : failedTestsIn(output),
      lastLines: passed ? [] : lastLinesOf(output),
    };
  },
});

/** Enough for the report of a large suite, in characters. */
const outputKept = 8 * 1024 * 1024;
/** How long a program may take to end after SIGTERM. */
const graceMs = 2000;
/** How long its output may stay open after its end: a daemon may hold it. */
const drainMs = 500;

/**
 * Runs a program until it ends, or the signal says so. Then nothing of its process group is left. `output`: the end of its standard
 * output and error, as they came. Throws `NotStarted`.
 */
async function runProcess(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<Ended & { output: string }> {
  signal.throwIfAborted();
  // A group of its own can be ended as a whole.
  const detached = process.platform !== 'win32';
  const { child, ended } = startProgram(words, { stdio: ['ignore', 'pipe', 'pipe'], env, detached });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.length > 2 * outputKept) output = output.slice(-outputKept);
    });
  const closed = new Promise((close) => child.once('close', close));
  const end = () => void endGroup(child, ended);
  signal.addEventListener('abort', end, { once: true });
  try {
    const how = await ended;
    killGroup(child, 'SIGKILL');
    await Promise.race([closed, new Promise((late) => setTimeout(late, drainMs).unref())]);
    return { ...how, output };
  } finally {
    signal.removeEventListener('abort', end);
    for (const stream of [child.stdout, child.stderr]) stream?.destroy();
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
