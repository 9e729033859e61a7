import type { Command } from 'commander';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';

/** The words of a command line before `--`. */
function ownWords(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return end < 0 ? words : words.slice(0, end);
}

/** Throws `CouldNotRun` for an empty word. A shell makes one of a variable that is not set, and no command expects it. */
export function refuseEmptyWords(words: readonly string[]): void {
  ownWords(words).forEach((word, at, own) => {
    const option = /^(--[^=]+)=$/.exec(word)?.[1] ?? (word === '' ? ['passerelle', ...own][at] : undefined);
    if (option !== undefined)
      throw new CouldNotRun(`The value after ${option} is empty. Is a variable not set? Give a value, or leave it out.`);
  });
}

/** The same for an option whose value comes from a variable of the environment. */
export function refuseEmptyVariables(command: Command): void {
  const empty = command.options.find((option) => {
    const name = option.attributeName();
    return command.getOptionValueSource(name) === 'env' && command.getOptionValue(name) === '';
  });
  if (empty)
    throw new CouldNotRun(`The value of ${empty.envVar} is empty. Is a variable not set? Give a value, or leave it out.`);
}
