import type { SpawnOptions } from 'node:child_process';
import type { ServiceName } from '../spec/documents/services.ts';
import { environmentOf, type Variables } from '../stubs/suite/environment.ts';
import { type Ended, NotStarted, startProgram } from '../stubs/suite/program.ts';
import { withStubs } from '../stubs/suite/with-stubs.ts';
import type { Stub } from '../stubs/types.ts';
import { tell } from './command.ts';
import { type TlsOptions, trustedBy } from './stub-tls.ts';

interface SuiteOptions {
  apis: readonly ServiceName[];
  /** The command. */
  words: readonly string[];
  start: (api: ServiceName) => Promise<Stub<ServiceName>>;
  variables: Variables;
  tls?: TlsOptions;
  /** True if standard output is for a report, so that the command writes to standard error. */
  quiet?: boolean;
}

interface Suite {
  stubs: readonly Stub<ServiceName>[];
  /** Runs the command at this program's terminal. Rejects with `NotStarted`. */
  run(): Promise<Ended>;
}

/** Runs a command against a stub of each API, which `use` may watch. */
export function runSuite<T>(
  { apis, words, start, variables, tls = {}, quiet = false }: SuiteOptions,
  use: (suite: Suite) => Promise<T>,
): Promise<T> {
  return withStubs(apis, start, async (stubs) => {
    const trusted = await trustedBy(stubs, tls);
    try {
      const env = { ...process.env, ...environmentOf(stubs, variables, trusted.file) };
      return await use({ stubs, run: () => runProgram(words, { env, stdio: ['inherit', quiet ? 2 : 'inherit', 'inherit'] }) });
    } finally {
      await trusted.remove();
    }
  });
}

/** SIGHUP ends what runs in a session that is closed, such as one of a CI. */
const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

async function runProgram(words: readonly string[], options: SpawnOptions): Promise<Ended> {
  const { child, ended } = startProgram(words, options);
  // Ctrl-C at a terminal reaches the command by itself. A second one would make many test runners give up at once.
  const atTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
  const passOn = (signal: NodeJS.Signals) => void ((signal !== 'SIGINT' || !atTerminal) && child.kill(signal));
  for (const signal of passedOn) process.on(signal, passOn);
  try {
    return await ended;
  } finally {
    for (const signal of passedOn) process.off(signal, passOn);
  }
}

/** If the command could not be started, returns the exit code that a shell would return. */
export async function orNotStarted(run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof NotStarted)) throw error;
    tell(`passerelle: ${error.message}`);
    return error.exitCode;
  }
}
