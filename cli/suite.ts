import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';

/** Runs the suite, with this program's input and output. Throws `CouldNotRun` unless it exits with 0. */
export async function runSuite([program = '', ...args]: readonly string[], environment: Record<string, string>): Promise<void> {
  // Windows finds npm, which is a script there, by its shell only.
  const shell = process.platform === 'win32';
  const suite = spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...environment }, shell });
  // Ctrl-C reaches the suite by itself. This program waits for its end.
  const forward = (signal: NodeJS.Signals) => void (signal === 'SIGTERM' && suite.kill(signal));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, forward);
  try {
    const [code, signal] = (await once(suite, 'exit')) as [number | null, NodeJS.Signals | null];
    if (code === 0) return;
    const how = code === null ? `was ended by ${signal}` : `failed with exit code ${code}`;
    throw new CouldNotRun(`${program} ${how}, so no pact was written: a pact says what a suite that passes relies on.`);
  } catch (error) {
    if (error instanceof CouldNotRun) throw error;
    throw new CouldNotRun(`${program} could not be started: ${(error as Error).message}.`);
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, forward);
  }
}
