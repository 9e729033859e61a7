import { type Command, Option } from 'commander';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import type { TakenRecording } from '../contracts/tools/recording/har.ts';
import type { ServiceName } from '../spec/documents/services.ts';

/** The options of `passerelle pact` about what was recorded elsewhere. */
export interface RecordedOptions {
  from?: string;
}

export const withRecordedOptions = (command: Command): Command =>
  command.addOption(new Option('--from <file>', 'take the calls of this HTTP Archive (.har) instead of running a command'));

/** The options that only a command after `--` makes use of. */
const ofCommand = ['env', 'seed', 'webhook'];

/**
 * Reads the file that the options name. Returns undefined if a command is to be run. Throws `CouldNotRun` unless exactly one
 * of both is given, and for options that have no effect with it.
 */
export async function readRecorded(
  words: readonly string[],
  { from, provider: service }: RecordedOptions & { provider: ServiceName },
  command: Command,
): Promise<TakenRecording | undefined> {
  if (words.length === 0 && from === undefined)
    throw new CouldNotRun('There is nothing to record: name a command after --, or a file with --from.');
  if (words.length > 0 && from !== undefined)
    throw new CouldNotRun('A command and --from exclude each other: name a command after --, or a file with --from.');
  if (from === undefined) return undefined;
  const given = ofCommand.find((name) => command.getOptionValueSource(name) === 'cli');
  const flag = command.options.find((option) => option.attributeName() === given)?.long;
  if (given !== undefined) throw new CouldNotRun(`${flag} has no effect with --from: it needs a command after --.`);
  const { readHarFile } = await import('../contracts/tools/recording/har.ts');
  return readHarFile(from, service);
}
