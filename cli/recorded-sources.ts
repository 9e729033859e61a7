import { type Command, Option } from 'commander';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import type { TakenRecording } from '../contracts/tools/recording/har.ts';
import type { ServiceName } from '../spec/documents/services.ts';

/** The options of `passerelle pact` about what was recorded elsewhere. */
export interface RecordedOptions {
  from?: string;
  fromHost?: string;
}

export const withRecordedOptions = (command: Command): Command =>
  command
    .addOption(new Option('--from <file>', 'take the calls of this HTTP Archive (.har) instead of running a command'))
    .addOption(new Option('--from-host <host>', 'only the calls of this host (default: the only one with calls of the API)'));

/** The options that only a command after `--` makes use of. */
const ofCommand = ['env', 'seed', 'webhook'];

/**
 * Reads the file that the options name. Returns undefined if a command is to be run. Throws `CouldNotRun` unless exactly one
 * of both is given, and for options that have no effect with it.
 */
export async function readRecorded(
  words: readonly string[],
  { from, fromHost: host, provider: service }: RecordedOptions & { provider: ServiceName },
  command: Command,
): Promise<TakenRecording | undefined> {
  if (words.length === 0 && from === undefined)
    throw new CouldNotRun('There is nothing to record: name a command after --, or a file with --from.');
  if (words.length > 0 && from !== undefined)
    throw new CouldNotRun('A command and --from exclude each other: name a command after --, or a file with --from.');
  const refuseGiven = (names: readonly string[], why: string) => {
    const one = names.find((name) => command.getOptionValueSource(name) === 'cli');
    const flag = command.options.find((option) => option.attributeName() === one)?.long;
    if (one !== undefined) throw new CouldNotRun(`${flag} has no effect with ${why}.`);
  };
  if (from === undefined) {
    refuseGiven(['fromHost'], 'a command: it needs --from');
    return undefined;
  }
  refuseGiven(ofCommand, '--from: it needs a command after --');
  const { readHarFile } = await import('../contracts/tools/recording/har.ts');
  return readHarFile(from, { service, host });
}
