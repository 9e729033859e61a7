import type { Command } from 'commander';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { didYouMean } from '../gateway/base/nearest.ts';
import { type ServiceName, serviceNames } from '../spec/documents/services.ts';

function rawWords(command: Command): readonly string[] {
  const { parent, rawArgs } = command as { parent: { rawArgs?: string[] } | null; rawArgs?: string[] };
  return parent?.rawArgs ?? rawArgs ?? [];
}

/** True if `--` is written. */
export const hasCommand = (command: Command): boolean => rawWords(command).includes('--');

/** The APIs stand before `--`, the command that calls them after it. Throws `CouldNotRun` for another name. */
export function suiteWords(words: readonly string[], command: Command): { apis: ServiceName[]; suite: string[] } {
  const usage = `passerelle ${command.name()} pos -- npm test`;
  const raw = rawWords(command);
  const count = hasCommand(command) ? raw.length - raw.indexOf('--') - 1 : 0;
  const [names, suite] = [words.slice(0, words.length - count), words.slice(words.length - count)];
  if (names.length === 0)
    throw new CouldNotRun(`Which API does the command call? Name ${serviceNames.join(' or ')} first: ${usage}.`);
  const apis = [...new Set(names)].map((name) => {
    const api = serviceNames.find((one) => one === name);
    if (api) return api;
    throw new CouldNotRun(
      `"${name}" is not an API. ${didYouMean(name, serviceNames)}The APIs are ${serviceNames.join(' and ')}; the command follows after --: ${usage}.`,
    );
  });
  return { apis, suite };
}

/** Reminds of `--` where the options of the command to run were taken for our own. */
export const remindOfDashes = (command: Command): Command =>
  command.configureOutput({
    outputError: (text, write) => write(hasCommand(command) ? text : `${text.trimEnd()} The command to run follows after --.\n`),
  });

/** The same as `suiteWords` for a command that needs the words after `--`. */
export function commandWords(words: readonly string[], command: Command): ReturnType<typeof suiteWords> {
  const found = suiteWords(words, command);
  if (found.suite.length > 0) return found;
  throw new CouldNotRun(
    `Write the command that runs your tests after --: passerelle ${command.name()} ${found.apis.join(' ')} -- npm test.`,
  );
}
