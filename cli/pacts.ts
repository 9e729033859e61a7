import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Option } from 'commander';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import type { Verifiable } from '../contracts/tools/verification/result.ts';
import { type PactSource, providerOf, readPacts } from '../contracts/tools/verification/sources.ts';
import { tell } from './command.ts';

/** The pacts of the project: what a command is about where none is named. */
export const ownPacts = relative('', fileURLToPath(new URL('../contracts/pacts', import.meta.url))) || '.';

export const pactsOption = () =>
  new Option('--pact <place...>', 'files, folders or addresses of pacts; by default those of Passerelle itself');

/**
 * Each provider with its pacts; a pact of another name for its provider belongs to the one that is asked for. Says which
 * are left out. Throws `CouldNotRun` where none is left.
 */
function byProvider(pacts: readonly PactSource[], asked: Verifiable | undefined): Map<Verifiable, PactSource[]> {
  const groups = new Map<Verifiable, PactSource[]>();
  const leftOut: PactSource[] = [];
  for (const pact of pacts) {
    const provider = providerOf(pact.provider) ?? asked;
    if (provider === undefined) {
      throw new CouldNotRun(
        `${pact.source} is a pact with "${pact.provider}", which is neither pos nor cohesion: say with --provider which it is.`,
      );
    }
    if (asked === undefined ? provider === 'webhook-receiver' : provider !== asked) leftOut.push(pact);
    else groups.set(provider, [...(groups.get(provider) ?? []), pact]);
  }
  if (leftOut.length > 0) tell(`Left out: ${leftOut.map((pact) => `${pact.source} (with ${pact.provider})`).join(', ')}.`);
  if (groups.size === 0) throw new CouldNotRun('There is no pact left.');
  return groups;
}

/** Does something with the pacts at these places, or with our own, by provider; they are there until it is done. */
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
