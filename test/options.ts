import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** Ends a program of the tests: its command cannot be run. */
export function refuse(why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(2);
}

/** Returns the options of the command line. Ends the program at one that it does not have, and at `--help`, which prints `help`. */
export function readOptions<O extends ParseArgsOptionsConfig>(help: string, options: O) {
  const names = [...Object.keys(options), 'help'].map((name) => `--${name}`);
  const all = `The options are ${names.slice(0, -1).join(', ')} and ${names.at(-1)}.`;
  if (process.argv.includes('--help')) {
    process.stdout.write(`${help}\n${all}\n`);
    process.exit();
  }
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return refuse(`${(error as Error).message}. ${all}`);
  }
}

/** Returns a whole number from 1 on. Ends the program at anything else. */
export function wholeNumber(name: string, given: string | undefined, byDefault: number): number {
  const number = Number(given ?? byDefault);
  if (Number.isSafeInteger(number) && number > 0) return number;
  return refuse(`--${name} must be a whole number from 1 on, not "${given}".`);
}
