import type { Argument, Command, Option } from 'commander';
import { providerName, verifiable } from './command.ts';

/** A command as completion needs it. */
export interface Described {
  /** The way to it, the program first: `passerelle broker publish`. */
  path: string;
  summary: string;
  /** Names of the commands below. */
  commands: { name: string; summary: string }[];
  options: DescribedOption[];
  /** What its arguments may be. */
  values: Values;
}

export interface DescribedOption {
  /** `--json`, `-h`. */
  names: string[];
  summary: string;
  /** Null where it takes none. */
  values: Values | null;
}

/** What may stand as a value: some words, or the name of a file, or anything. */
export interface Values {
  words: readonly string[];
  files: boolean;
}

/** Value names that mean a file, by the words that the commands use. */
const fileNames = /^(file|place|folder|pact)/;

/** What the parsers of our own take. */
const wordsOfParser = new Map<unknown, readonly string[]>([
  [providerName, ['pos', 'cohesion']],
  [verifiable, ['pos', 'cohesion', 'webhook-receiver']],
]);

function describeOption({ long, short, description, argChoices, parseArg, required, optional, flags }: Option): DescribedOption {
  const value = /[<[]([^\].>]+)/.exec(flags)?.[1] ?? '';
  const words = argChoices ?? wordsOfParser.get(parseArg) ?? [];
  return {
    names: [long, short].filter((name): name is string => typeof name === 'string'),
    summary: description,
    values: required || optional ? { words, files: words.length === 0 && fileNames.test(value) } : null,
  };
}

const argumentValues = (list: readonly Argument[]): Values => ({
  words: list.flatMap(({ argChoices }) => argChoices ?? []),
  files: list.some((one) => fileNames.test(one.name())),
});

/** A program with all that is below it, in the order of its help. */
export function describeProgram(command: Command, above = ''): Described[] {
  const path = `${above} ${command.name()}`.trim();
  const help = command.createHelp();
  const below = command.commands.map((one) => ({ name: one.name(), summary: help.subcommandDescription(one) }));
  const described = {
    path,
    summary: command.summary() || command.description(),
    commands: below,
    options: help.visibleOptions(command).map(describeOption),
    values: argumentValues(command.registeredArguments),
  };
  return [described, ...command.commands.flatMap((one) => describeProgram(one, path))];
}
