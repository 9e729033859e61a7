import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { resolve as absolute } from 'node:path';
import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';
import { environmentOfChild } from '../../contracts/tools/outgoing.ts';

/** How a program ended. `code` is null if a signal ended it. */
export interface Ended {
  code: number | null;
  endedBy: NodeJS.Signals | null;
}

/** A program that could not be started. `exitCode` is that of a shell: 127 if there is no such program, otherwise 126. */
export class NotStarted extends CouldNotRun {
  readonly exitCode: 126 | 127;

  constructor(program: string, { code, message }: NodeJS.ErrnoException) {
    super(`${program || 'The empty word after --'} could not be started: ${adviceOf(program, code) ?? `${message}.`}`);
    this.exitCode = code === 'ENOENT' ? 127 : 126;
  }
}

function adviceOf(program: string, code: string | undefined): string | undefined {
  if (program === '') return 'it names no program. Is a variable not set?';
  if (code === 'EACCES')
    return 'it is not an executable file. Write its interpreter before it, such as php or node, or chmod +x.';
  if (code !== 'ENOENT') return undefined;
  if (existsSync(program)) return 'the interpreter in its first line is not installed. Write another one before it.';
  if (/\s/.test(program)) return `there is no program of this name. Leave out the quotes, or write sh -c '${program}'.`;
  if (/[/\\]/.test(program)) return `there is no file ${absolute(program)}.`;
  return `there is no such program in PATH. Write its path, such as vendor/bin/${program}, or install it.`;
}

/** Starts a program. `ended` rejects with `NotStarted` if that cannot be done. */
export function startProgram([program = '', ...args]: readonly string[], options: SpawnOptions) {
  // Windows finds npm, which is a script there, by its shell only.
  const shell = process.platform === 'win32';
  let child: ChildProcess;
  try {
    child = spawn(program, args, { ...options, env: environmentOfChild(options.env), shell });
  } catch (error) {
    throw new NotStarted(program, error as NodeJS.ErrnoException);
  }
  const { promise: ended, resolve, reject } = Promise.withResolvers<Ended>();
  child.once('error', (error) => reject(new NotStarted(program, error)));
  child.once('exit', (code, endedBy) => resolve({ code, endedBy }));
  return { child, ended };
}

/** The exit code that a shell would have. */
export const exitCodeOf = ({ code, endedBy }: Ended): number => code ?? 128 + (endedBy ? constants.signals[endedBy] : 0);
