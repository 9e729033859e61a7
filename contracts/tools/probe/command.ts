import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { type Ended, startProgram } from '../../../stubs/suite/program.ts';
import { shellWords } from '../verification/reports/curl.ts';
import type { Runner } from './runs.ts';
import { lastLinesOf, testsOf } from './tests.ts';

/** Stands for the place of a run among those at the same time, in the command's words and in the path of its JUnit file. */
const runPlace = '{run}';

/** True if runs at the same time write different files. */
export const isApart = (text: string): boolean => text.includes(runPlace);

/** A command that passes if it exits with 0. `junitFile`: the report that it writes. */
export function commandRunner(words: readonly string[], junitFile: string | undefined): Runner {
  return {
    name: shellWords(words),
    async run({ env, slot, signal }) {
      const at = (text: string) => text.replaceAll(runPlace, String(slot));
      const file = junitFile === undefined ? undefined : at(junitFile);
      // A file of an earlier run would be taken for that of this one.
      if (file !== undefined) await rm(file, { force: true });
      const { code, endedBy, output } = await runProcess(words.map(at), { ...process.env, ...env }, signal);
      const { failed, passed: passedTests } = await testsOf(output, file);
      const passed = code === 0 && !signal.aborted;
      return {
        passed,
        reason: code === null ? `ended by ${endedBy}` : `exit code ${code}`,
        passedTests,
        failedTests: passed ? [] : failed,
        lastLines: passed ? [] : lastLinesOf(output),
      };
    },
  };
}

/** `output`: standard output and error together, as they came. A long output is cut at its start. */
type EndedWithOutput = Ended & { output: string };

/** Enough for the report of a large suite. */
const outputKept = 8 * 1024 * 1024;
/** How long a program may take to end after SIGTERM. */
const graceMs = 2000;
/** How long its output may stay open after its end: a daemon may hold it. */
const drainMs = 500;

/** Runs a program until it ends, or the signal says so. Then nothing of its process group is left. Throws `NotStarted`. */
async function runProcess(words: readonly string[], env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<EndedWithOutput> {
  signal.throwIfAborted();
  // A group of its own can be ended as a whole.
  const detached = process.platform !== 'win32';
  const { child, ended } = startProgram(words, { stdio: ['ignore', 'pipe', 'pipe'], env, detached });
  const chunks: Buffer[] = [];
  let bytes = 0;
  const keep = (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    while (bytes > outputKept && chunks.length > 1) bytes -= chunks.shift()?.length ?? 0;
  };
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', keep);
  const closed = new Promise((close) => child.once('close', close));
  const end = () => void endGroup(child, ended);
  signal.addEventListener('abort', end, { once: true });
  try {
    const how = await ended;
    killGroup(child, 'SIGKILL');
    await Promise.race([closed, new Promise((late) => setTimeout(late, drainMs).unref())]);
    return { ...how, output: Buffer.concat(chunks).toString() };
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
