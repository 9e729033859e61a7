import { writeFile } from 'node:fs/promises';
import { InvalidArgumentError, Option } from 'commander';
import { serviceNames } from '../contracts/documents/services.ts';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';

/** Exit codes: 0 success, 1 the check failed, 2 the check could not run. */
export const exitCodes = { ok: 0, failed: 1, couldNotRun: 2 } as const;

/** Returns an option such as `--provider <name>` that accepts an API's name. */
export const providerOption = (flags: string, description: string) => new Option(flags, description).choices(serviceNames);

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
