import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import type { Verifiable } from '../contracts/tools/verification/result.ts';
import { type FoundPact, type PactSource, providerOf, readPacts } from '../contracts/tools/verification/sources.ts';
import { nearestOf } from '../gateway/base/nearest.ts';
import { serviceNames } from '../spec/documents/services.ts';
import { tell } from './command.ts';

/** The folder of Passerelle's own pacts, which commands use by default. */
const ownPacts = relative('', fileURLToPath(new URL('../contracts/pacts', import.meta.url))) || '.';

export const pactsOption = () =>
  new Option('--pact <place...>', "files, folders or URLs of pacts (default: Passerelle's own pacts)").argParser(
    (place: string, before: string[] = []) => {
      // The option takes every word that follows it.
      if (serviceNames.some((name) => name === place) && !existsSync(place))
        throw new InvalidArgumentError(`${place} is an API, which stands before the options: ${place} --pact PLACE.`);
      return [...before, place];
    },
  );

/**
 * Returns the pacts to read, without those of other providers, and prints the ones it skips. A folder may contain pacts with any
 * provider, so an unknown one in it is skipped. It is the requested provider only if no other pact can be meant.
 */
function chosen(found: readonly FoundPact[], { provider: asked, providerName, command }: Wanted): readonly FoundPact[] {
  const of = ({ provider }: FoundPact) => providerOf(provider ?? '');
  const isForeign = (one: FoundPact) => one.isListed && one.provider !== undefined && of(one) === undefined;
  const names = [...new Set(found.filter(isForeign).map(({ provider = '' }) => provider))];
  const isMeant = asked !== undefined && names.length === 1 && !found.some((one) => of(one) === asked);
  const isSkipped = (one: FoundPact) =>
    providerName === undefined ? isForeign(one) && !isMeant : one.provider !== undefined && one.provider !== providerName;
  const skipped = found.filter(isSkipped);
  if (skipped.length > 0 && skipped.length === found.length)
    throw new CouldNotRun(noneLeft(found, { wanted: providerName, names, command }));
  tellSkipped(skipped);
  return found.filter((one) => !isSkipped(one));
}

interface NoneLeft {
  /** The provider's name in the pacts that was asked for. */
  wanted?: string | undefined;
  /** The names of other providers. */
  names: readonly string[];
  command: Command;
}

function noneLeft(found: readonly FoundPact[], { wanted, names, command }: NoneLeft): string {
  const all = [...new Set(found.map(({ provider = '' }) => provider))];
  if (wanted !== undefined)
    return `No pact names the provider "${wanted}". Did you mean "${nearestOf(wanted, all)}"? The pacts name ${all.join(', ')}.`;
  const [first] = found;
  const example = `passerelle ${command.name()} ${serviceNames[0]}`;
  if (names.length <= 1)
    return `The provider "${first?.provider}" of ${first?.source} is neither ${serviceNames.join(' nor ')}: name the API, such as ${example}.`;
  const none = `The pacts name the providers ${names.join(', ')}, none of which is ${serviceNames.join(' or ')}`;
  return choosesByName(command)
    ? `${none}: name the API, such as ${example}, and --provider-name for the one that is meant.`
    : `${none}: name the API and the files of the provider that is meant, such as ${example} --pact ${first?.source}.`;
}

const choosesByName = (command: Command): boolean => command.options.some(({ long }) => long === '--provider-name');

function tellSkipped(skipped: readonly { source: string; provider?: string | undefined }[]): void {
  if (skipped.length > 0) tell(`Skipped: ${skipped.map(({ source, provider }) => `${source} (with ${provider})`).join(', ')}.`);
}

/** Prints the pacts whose provider name is not a known API. For these, only the caller says which API is meant. */
function tellTaken(pacts: readonly PactSource[], { provider: asked, providerName, command }: Wanted): void {
  const named = pacts.filter(({ provider }) => providerOf(provider) === undefined && provider !== providerName);
  if (named.length === 0) return;
  const taken = named.map(({ source, provider }) => `${source} (with ${provider})`);
  const advice = choosesByName(command) ? ' --provider-name chooses pacts by their provider.' : '';
  tell(`Read as pacts of ${asked}, which the command names: ${taken.join(', ')}.${advice}`);
}

/**
 * Groups pacts by provider. A pact with an unknown provider name belongs to the requested provider. Prints the pacts that
 * it skips. Throws `CouldNotRun` if none remains.
 */
function byProvider(pacts: readonly PactSource[], { provider: asked, command }: Wanted): Map<Verifiable, PactSource[]> {
  const groups = new Map<Verifiable, PactSource[]>();
  const skipped: PactSource[] = [];
  for (const pact of pacts) {
    const provider = providerOf(pact.provider) ?? asked;
    if (provider === undefined) throw new CouldNotRun(noneLeft([{ ...pact, isListed: false }], { names: [], command }));
    if (asked === undefined ? provider === 'webhook-receiver' : provider !== asked) skipped.push(pact);
    else groups.set(provider, [...(groups.get(provider) ?? []), pact]);
  }
  tellSkipped(skipped);
  if (groups.size === 0) throw new CouldNotRun('No pact names the requested provider: check --pact and the API.');
  return groups;
}

export interface Wanted<P extends Verifiable = Verifiable> {
  /** The API or receiver; default: the one that each pact names. */
  provider?: P | undefined;
  /** The provider's name in the pacts. Others are skipped. */
  providerName?: string | undefined;
  /** The command that reads the pacts. Advice names it and its options. */
  command: Command;
}

/**
 * Runs `work` with the pacts at these places (default: our own), grouped by provider, and with the reasons why other files could
 * not be used. Without `isPartial` it throws the first of these reasons. Downloaded pacts are deleted afterwards.
 */
export async function withPacts<P extends Verifiable, R>(
  places: readonly string[] | undefined,
  wanted: Wanted<P>,
  work: (groups: [P, PactSource[]][], unusable: readonly string[]) => Promise<R>,
  { isPartial = false } = {},
): Promise<R> {
  const { pacts, unusable, close } = await readPacts(places ?? [ownPacts], (found) => chosen(found, wanted));
  try {
    if (!isPartial && unusable[0] !== undefined) throw new CouldNotRun(unusable[0]);
    const groups = byProvider(pacts, wanted);
    tellTaken(pacts, wanted);
    return await work([...groups] as [P, PactSource[]][], unusable);
  } finally {
    await close();
  }
}
