import { writeFile } from 'node:fs/promises';
import { Argument, InvalidArgumentError } from 'commander';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { refusedName } from '../gateway/base/nearest.ts';
import { serviceNames } from '../spec/documents/services.ts';

/** Exit codes: 0 success, 1 the check failed, 2 the check could not run. */
export const exitCodes = { ok: 0, failed: 1, couldNotRun: 2 } as const;

/** Refuses a value that is not one of the choices, and suggests the nearest name. */
export const oneOf = (argument: Argument, choices: readonly string[], what: string, names = choices): Argument =>
  argument.choices(choices).argParser((value: string) => {
    if (choices.includes(value)) return value;
    throw new InvalidArgumentError(refusedName(value, `is not ${what}`, names));
  });

/** The API that a command is about. Every command names it first. */
export const apiArgument = (flags: '<api>' | '[api]', description: string): Argument =>
  oneOf(new Argument(flags, description), serviceNames, 'an API');

/**
 * Returns a parser of URLs. It throws `CouldNotRun` with this advice if one has an `@`: commander's own
 * errors would print the password before it. That may also be one whose `/` ends the host, as in
 * `http://till:80/secret@localhost`.
 */
const addressWithout = (advice: string) => (value: string) => {
  if (value.includes('@')) throw new CouldNotRun(`${advice} ${encodedAt}`);
  const parsed = URL.parse(value);
  if (parsed && (parsed.protocol === 'http:' || parsed.protocol === 'https:')) return value;
  throw new InvalidArgumentError('It must be an address such as http://localhost:3000.');
};

const encodedAt = 'Write the "@" of a path as %40.';
const noLogin = 'An address must have no user and no password, which reports would show.';
export const address = addressWithout(noLogin);
/** Of a receiver or provider, for commands that have `--header`. */
export const headedAddress = addressWithout(`${noLogin} Pass them by --header 'Authorization: Basic ...'.`);

/** Of a receiver that the gateway or the stub calls. Its form is checked elsewhere. */
export function refuseLogin(value: string): void {
  if (value.includes('@')) throw new CouldNotRun(`${noLogin} ${encodedAt}`);
}

/**
 * Removes what precedes an `@` in words of a message that look like addresses, such as an argument at the
 * wrong place. A package in a path, such as `C:\\app\\@scope`, stays.
 */
export const withoutLogins = (message: string): string => message.replaceAll(login, '[redacted]@');
const login = /[^\s'"]*:[^\s'"]*[^\s'"/\\]@/g;

/** Collects `--header 'Name: value'`. */
export function oneHeader(line: string, before: Readonly<Record<string, string>>): Record<string, string> {
  const [, name, value] = /^([A-Za-z0-9!#$%&'*+.^_`|~-]+):[ \t]*([^\r\n]*)$/.exec(line) ?? [];
  if (name !== undefined && value !== undefined) return { ...before, [name.toLowerCase()]: value };
  // Its value may be a secret, which commander's own error would print.
  throw new CouldNotRun("A header of --header cannot be used. It must look like 'Name: value'.");
}

/** Parses a port to listen on. */
export function port(value: string): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && number <= 65_535) return number;
  throw new InvalidArgumentError('It must be a number from 0 to 65535.');
}

/** Parses an option that can be repeated. */
export const collected = (value: string, before: string[] = []): string[] => [...before, value];

/** Parses the values of an option such as `--events a,b c`. */
export const commaSeparated = (value: string, before: string[] = []): string[] => [
  ...before,
  ...value
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean),
];

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

/** In a workflow of GitHub: writes these workflow commands, which GitHub shows as annotations and not in the log. */
export function annotate(commands: () => readonly string[]): void {
  if (process.env.GITHUB_ACTIONS === 'true') for (const line of commands()) tell(line);
}
