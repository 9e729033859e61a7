import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** Ends a program of the tests: its command cannot be run. */
export function refuse(why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(2);
}

/** Returns the options of the command line. Ends the program at one that it does not have. */
export function readOptions<O extends ParseArgsOptionsConfig>(options: O) {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    const names = Object.keys(options).map((name) => `--${name}`);
    const all = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
    return refuse(`${(error as Error).message}. The options are ${all}.`);
  }
}

/** Returns a whole number from 1 on. Ends the program at anything else. */
export function wholeNumber(name: string, given: string | undefined, byDefault: number): number {
  const number = Number(given ?? byDefault);
  if (Number.isSafeInteger(number) && number > 0) return number;
  return refuse(`--${name} must be a whole number from 1 on, not "${given}".`);
}
