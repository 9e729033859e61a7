import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Command, CommanderError } from 'commander';
import { onTestFinished, vi } from 'vitest';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';

/** The command line of the repository, or of an installed package. */
const program = join(process.env.PASSERELLE_PACKAGE ?? join(import.meta.dirname, '..'), 'cli/bin.js');

interface Running {
  child: ChildProcess;
  stdout: string;
  stderr: string;
  /** The lines of its output so far, each of which is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: lines have any shape
  jsonLines(): any[];
  /** Resolves with the exit code. */
  ended: Promise<number | null>;
}

const namesPassedOn = /^(PATH|NODE_COMPILE_CACHE|TZ|LD_PRELOAD|FAKETIME.*)$/;
/** The variables that a program gets of this process. It has the time of the tests too, if `faketime` gives them another one. */
export const passedOn = Object.fromEntries(Object.entries(process.env).filter(([name]) => namesPassedOn.test(name)));

/** Starts the command line as a user does. It is killed when the test ends. */
export function start(
  args: readonly string[],
  { env = {}, input }: { env?: Record<string, string>; input?: string | Buffer } = {},
) {
  const child = spawn(process.execPath, [program, ...args], { env: { ...passedOn, ...env } });
  const running: Running = {
    child,
    stdout: '',
    stderr: '',
    jsonLines: () => running.stdout.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line))),
    ended: once(child, 'close').then(([code]) => code),
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    running.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    running.stderr += text;
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  onTestFinished(() => void child.kill('SIGKILL'));
  return running;
}

/** Runs the command line until it ends. */
export async function passerelle(args: readonly string[], options: Parameters<typeof start>[1] = {}) {
  const running = start(args, options);
  return { code: await running.ended, stdout: running.stdout, stderr: running.stderr };
}

/** Node's test runner in one process. A process for each file takes more CPU. */
export const nodeTest = ['--test', '--test-isolation=none'] as const;

/** Makes a folder, which is removed when the test ends. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'passerelle-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a file into a new folder. */
export async function fileWith(content: string | Buffer, name = 'file'): Promise<string> {
  const file = join(await newFolder(), name);
  await writeFile(file, content);
  return file;
}

/** Does what writes to the standard streams. Returns the exit code that it sets, and what it wrote. */
async function captured(run: () => Promise<unknown>) {
  const written = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      written[stream] += text;
      return true;
    }),
  );
  // Vitest keeps what is written with the console.
  const logged = vi.spyOn(console, 'log').mockImplementation((text) => process.stdout.write(`${text}\n`));
  const codeBefore = process.exitCode;
  process.exitCode = 0;
  try {
    await run();
    return { code: Number(process.exitCode), ...written };
  } finally {
    process.exitCode = codeBefore;
    for (const spy of [...spies, logged]) spy.mockRestore();
  }
}

/** Runs one command in this process, which is faster than a new one. Returns the exit code that it would have. */
export const runCommand = (command: Command, args: readonly string[]) =>
  captured(async () => {
    try {
      overrideExit(command);
      await command.parseAsync(args, { from: 'user' });
    } catch (error) {
      if (error instanceof CouldNotRun) process.stderr.write(error.message);
      else if (!(error instanceof CommanderError)) throw error;
      process.exitCode = 2;
    }
  });

function overrideExit(command: Command): void {
  command.exitOverride();
  for (const below of command.commands) overrideExit(below);
}

/** Runs the whole command line in this process, as far as it needs no standard input and ends by itself. */
export const runHere = (args: readonly string[], { env = {} }: { env?: Readonly<Record<string, string>> } = {}) =>
  captured(async () => {
    const [{ runProgram }, { withPackages }] = await Promise.all([
      import('../cli/program.ts'),
      import('../cli/with-packages.ts'),
    ]);
    const before = process.argv;
    process.argv = [process.execPath, program, ...args];
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    // Each run listens anew for a reader that goes away.
    const listeners = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'on').mockReturnThis());
    try {
      await runProgram(withPackages);
    } finally {
      process.argv = before;
      vi.unstubAllEnvs();
      for (const one of listeners) one.mockRestore();
    }
  });
