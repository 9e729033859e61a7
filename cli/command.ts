import { writeFile } from 'node:fs/promises';
import { Argument, InvalidArgumentError } from 'commander';
import { serviceNames } from '../contracts/documents/services.ts';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { nearestOf } from '../gateway/base/nearest.ts';

/** Exit codes: 0 success, 1 the check failed, 2 the check could not run. */
export const exitCodes = { ok: 0, failed: 1, couldNotRun: 2 } as const;

/** Refuses a value that is no choice, with the nearest of the names that could have been meant. */
export function oneOf(argument: Argument, choices: readonly string[], what: string, names = choices): Argument {
  return argument.choices(choices).argParser((value: string) => {
    if (choices.includes(value)) return value;
    throw new InvalidArgumentError(
      `"${value}" is not ${what}. Did you mean ${nearestOf(value, names)}? Use one of ${names.join(', ')}.`,
    );
  });
}

/** The API that a command is about. Every command names it first. */
export const apiArgument = (flags: '<api>' | '[api]', description: string): Argument =>
  oneOf(new Argument(flags, description), serviceNames, 'an API');

export function address(value: string): string {
  const parsed = URL.parse(value);
  if (parsed && (parsed.protocol === 'http:' || parsed.protocol === 'https:')) return value;
  throw new InvalidArgumentError('It must be an address such as http://localhost:3000.');
}

/** Parses the values of an option such as `--events a,b c`. */
export function commaSeparated(value: string, before: string[] = []): string[] {
  return [
    ...before,
    ...value
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean),
  ];
}

export const say = (text: string): void => void process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);

/** Writes a line to standard error, for messages that a program reading standard output must not get. */
export const tell = (line: string): void => void process.stderr.write(`${line}\n`);

/** Returns the width of the terminal in characters, and whether to use colours. Obeys NO_COLOR and FORCE_COLOR. */
export const onStandardOutput = () => ({
  width: process.stdout.columns ?? 100,
  colors: process.stdout.isTTY === true && process.stdout.hasColors(),
});

/** Writes a report to a file; the flag `a` appends it. Throws `CouldNotRun`. */
export async function writeReport(file: string, text: string, flag = 'w'): Promise<void> {
  await writeFile(file, text, { flag }).catch((error: Error) => {
    throw new CouldNotRun(`The report could not be written to ${file}: ${error.message}.`);
  });
}
