import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Option } from 'commander';
import { serviceNames } from '../contracts/documents/services.ts';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import type { Verifiable } from '../contracts/tools/verification/result.ts';
import { type PactSource, providerOf, readPacts } from '../contracts/tools/verification/sources.ts';
import { tell } from './command.ts';

/** The folder of Passerelle's own pacts, which commands use by default. */
const ownPacts = relative('', fileURLToPath(new URL('../contracts/pacts', import.meta.url))) || '.';

export const pactsOption = () =>
  new Option('--pact <place...>', "files, folders or URLs of pacts (default: Passerelle's own pacts)");

/**
 * Groups pacts by provider. A pact with an unknown provider name belongs to the requested provider. Prints the pacts that
 * it skips. Throws `CouldNotRun` if none remains.
 */
function byProvider(pacts: readonly PactSource[], asked: Verifiable | undefined): Map<Verifiable, PactSource[]> {
  const groups = new Map<Verifiable, PactSource[]>();
  const skipped: PactSource[] = [];
  for (const pact of pacts) {
    const provider = providerOf(pact.provider) ?? asked;
    if (provider === undefined) {
      throw new CouldNotRun(
        `The provider "${pact.provider}" of ${pact.source} is neither ${serviceNames.join(' nor ')}: pass --provider.`,
      );
    }
    if (asked === undefined ? provider === 'webhook-receiver' : provider !== asked) skipped.push(pact);
    else groups.set(provider, [...(groups.get(provider) ?? []), pact]);
  }
  if (skipped.length > 0) tell(`Skipped: ${skipped.map((pact) => `${pact.source} (with ${pact.provider})`).join(', ')}.`);
  if (groups.size === 0) throw new CouldNotRun('No pact names the requested provider: check --pact and --provider.');
  return groups;
}

/** Runs `work` with the pacts at these places (default: our own), grouped by provider. Downloaded pacts are deleted afterwards. */
export async function withPacts<P extends Verifiable, R>(
  places: readonly string[] | undefined,
  asked: P | undefined,
  work: (groups: [P, PactSource[]][]) => Promise<R>,
): Promise<R> {
  const { pacts, close } = await readPacts(places ?? [ownPacts]);
  try {
    return await work([...byProvider(pacts, asked)] as [P, PactSource[]][]);
  } finally {
    await close();
  }
}
