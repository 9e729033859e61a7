import type { Command } from 'commander';
import { type ServiceName, serviceNames } from '../contracts/documents/services.ts';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { didYouMean } from '../gateway/base/nearest.ts';

/** The APIs stand before `--`, the command that calls them after it. Throws `CouldNotRun` for another name. */
export function suiteWords(words: readonly string[], command: Command): { apis: ServiceName[]; suite: string[] } {
  const usage = `passerelle ${command.name()} pos -- npm test`;
  const { parent, rawArgs } = command as { parent: { rawArgs?: string[] } | null; rawArgs?: string[] };
  const raw = parent?.rawArgs ?? rawArgs ?? [];
  const at = raw.indexOf('--');
  const count = at < 0 ? 0 : raw.length - at - 1;
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
