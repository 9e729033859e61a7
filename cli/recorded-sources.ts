import type { Command } from 'commander';
import { Option } from 'commander';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import type { TakenRecording } from '../contracts/tools/recording/har.ts';
import type { ServiceName } from '../spec/documents/services.ts';
import { address } from './command.ts';
import { manageOf, tokenOption } from './running.ts';

/** The options of `passerelle pact` about what was recorded elsewhere. */
export interface RecordedOptions {
  from?: string;
  fromHost?: string;
  gateway?: string;
  token?: string;
  caller?: string;
  since?: string;
  until?: string;
  endpointId?: string;
}

/** Each option's flags and description, by the source that it is about. */
const options = {
  from: [
    new Option('--from <file>', 'take the calls of this HTTP Archive (.har) instead of running a command'),
    new Option('--from-host <host>', 'only the calls of this host (default: the only one with calls of the API)'),
  ],
  gateway: [
    new Option('--gateway <url>', 'take the calls that this running gateway recorded').argParser(address),
    tokenOption("the gateway's operator token"),
    new Option('--caller <name>', 'only calls of this caller: account:ID, token:ID, or a part of its name'),
    new Option('--since <time>', 'only calls from this time on: 2026-11-21, 2026-11-21T08:00:00Z, or 2h for two hours ago'),
    new Option('--until <time>', 'only calls before this time'),
    new Option('--endpoint-id <id>', 'also take the webhooks that this endpoint accepted'),
  ],
} as const;

export function withRecordedOptions(command: Command): Command {
  for (const option of Object.values(options).flat()) command.addOption(option);
  return command;
}

/** The options that only a command after `--` makes use of. */
const ofCommand = ['env', 'seed', 'webhook'];

/**
 * Reads the recording that the options name. Returns undefined if a command is to be run. Throws `CouldNotRun` unless exactly one
 * source is named, and for options that have no effect with it.
 */
export async function readRecorded(
  words: readonly string[],
  given: RecordedOptions & { provider: ServiceName },
  command: Command,
): Promise<TakenRecording | undefined> {
  const { from, fromHost: host, gateway, provider: service } = given;
  const named = [words.length > 0 && 'a command', from && '--from', gateway && '--gateway'].filter(Boolean);
  if (named.length !== 1)
    throw new CouldNotRun(
      `${named.length === 0 ? 'There is nothing to record' : `${named.join(' and ')} exclude each other`}: name a command after --, a file with --from, or a gateway with --gateway.`,
    );
  const [source = ''] = named as string[];
  const withoutEffect = (names: readonly string[], needs: string) => {
    const one = names.find((name) => command.getOptionValueSource(name) === 'cli');
    const flag = command.options.find((option) => option.attributeName() === one)?.long;
    if (one !== undefined) throw new CouldNotRun(`${flag} has no effect with ${source}: it needs ${needs}.`);
  };
  if (source !== '--from') withoutEffect(namesOf('from'), '--from');
  if (source !== '--gateway') withoutEffect(namesOf('gateway'), '--gateway');
  if (source !== 'a command') withoutEffect(ofCommand, 'a command after --');
  if (from !== undefined) {
    const { readHarFile } = await import('../contracts/tools/recording/har.ts');
    return readHarFile(from, { service, host });
  }
  if (gateway === undefined) return undefined;
  const { readGatewayCalls } = await import('../contracts/tools/recording/gateway-calls.ts');
  return readGatewayCalls(await manageOf({ at: gateway, token: given.token, option: '--gateway' }), { ...given, service });
}

const namesOf = (source: keyof typeof options) => options[source].map((option) => option.attributeName());
