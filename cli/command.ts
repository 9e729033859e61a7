import { InvalidArgumentError } from 'commander';
import type { Provider } from '../contracts/verification/result.ts';

/** What a command ends with: 0 all is well, 1 what was checked is not, 2 it could not be checked. */
export const exitCodes = { ok: 0, failed: 1, couldNotRun: 2 } as const;

/** Collects an option that may be given several times, or once with several values. */
export const several = (value: string, before: string[] = []): string[] => [...before, value];

export function providerName(value: string): Provider {
  if (value === 'pos' || value === 'cohesion') return value;
  throw new InvalidArgumentError(`It is "pos" or "cohesion".`);
}

export function address(value: string): string {
  const parsed = URL.parse(value);
  if (parsed && (parsed.protocol === 'http:' || parsed.protocol === 'https:')) return value;
  throw new InvalidArgumentError('It is an address such as http://localhost:3000.');
}

export const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** For what a script that reads standard output must not see. */
export const tell = (line: string): void => void process.stderr.write(`${line}\n`);

/** Colours belong on a terminal only (no-color.org, force-color.org). */
export const coloured = (stream: NodeJS.WriteStream): boolean => stream.isTTY === true && stream.hasColors();
