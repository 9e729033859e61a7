import { writeFile } from 'node:fs/promises';
import { InvalidArgumentError } from 'commander';
import type { Provider } from '../contracts/documents/services.ts';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import type { Verifiable } from '../contracts/tools/verification/result.ts';

/** What a command ends with: 0 all is well, 1 what was checked is not, 2 it could not be checked. */
export const exitCodes = { ok: 0, failed: 1, couldNotRun: 2 } as const;

export function providerName(value: string): Provider {
  if (value === 'pos' || value === 'cohesion') return value;
  throw new InvalidArgumentError('It is pos or cohesion.');
}

export function verifiable(value: string): Verifiable {
  if (value === 'webhook-receiver') return value;
  try {
    return providerName(value);
  } catch {
    throw new InvalidArgumentError('It is pos, cohesion or webhook-receiver.');
  }
}

export function address(value: string): string {
  const parsed = URL.parse(value);
  if (parsed && (parsed.protocol === 'http:' || parsed.protocol === 'https:')) return value;
  throw new InvalidArgumentError('It is an address such as http://localhost:3000.');
}

export const say = (text: string): void => void process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);

/** For what a program that reads standard output must not see. */
export const tell = (line: string): void => void process.stderr.write(`${line}\n`);

/** Colours belong on a terminal only; NO_COLOR and FORCE_COLOR are heard (no-color.org, force-color.org). */
export const onStandardOutput = () => ({
  width: process.stdout.columns ?? 100,
  colors: process.stdout.isTTY === true && process.stdout.hasColors(),
});

/** Writes a report to a file, or adds it there with the flag `a`. Throws `CouldNotRun`. */
export async function writeReport(file: string, text: string, flag = 'w'): Promise<void> {
  await writeFile(file, text, { flag }).catch((error: Error) => {
    throw new CouldNotRun(`The report cannot be written to ${file}: ${error.message}.`);
  });
}
