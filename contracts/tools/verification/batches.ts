import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { VerifierOptions } from '@pact-foundation/pact-core';
import { inTemporaryFolder } from '../temporary.ts';
import type { Harness } from './harness.ts';
import type { PactResults } from './pact.ts';
import type { PactFile, PactInteraction } from './pact-file.ts';
import { type PactSource, textOf } from './sources.ts';
import { oneListEach, parseExactly, tie } from './tie.ts';

/** The pacts of one run of Pact's verifier. */
export interface Batch {
  /** Names the pacts in messages. */
  name: string;
  ids: readonly string[];
  /** True if no interaction is wanted. */
  isUnwanted: boolean;
  /** Calls `verify` with the verifier's options for these pacts. */
  run(verify: (options: Partial<VerifierOptions>) => Promise<PactResults>): Promise<PactResults>;
}

/** Returns true if an interaction is to be verified. */
export type IsWanted = (pact: PactFile, interaction: PactInteraction) => boolean;

/** Returns the ids of the interactions; undefined for those that are not wanted. */
const planned = (harness: Harness, source: PactSource, isWanted: IsWanted) =>
  source.interactions.map((written, index) => (isWanted(source, written) ? harness.add({ written, index, source }) : undefined));

const isId = (id: string | undefined) => id !== undefined;

/** A pact that was read. The verifier gets a copy with tied interactions, in a folder that is removed after the run. */
function fileBatch(source: PactSource, harness: Harness, isWanted: IsWanted): Batch {
  const all = planned(harness, source, isWanted);
  return {
    name: source.source,
    ids: all.filter(isId),
    isUnwanted: all.length > 0 && !all.some(isId),
    run: (verify) =>
      inTemporaryFolder('verify', async (folder) => {
        const tied = oneListEach(tie(parseExactly(textOf(await readFile(source.file))), all));
        const pactUrls = tied.map((_, index) => join(folder, `${index}.json`));
        for (const [index, pact] of tied.entries()) await writeFile(pactUrls[index] as string, JSON.stringify(pact));
        return pactUrls.length === 0 ? nothing : verify({ pactUrls });
      }),
  };
}

/** A run of the verifier loads its library for a quarter of a second, so it gets no fewer interactions than this. */
const leastInShare = 30;

/**
 * Splits a pact into batches of neighbours that may run at the same time, at most `runs`. Used only for the reference
 * implementation, because there each interaction has its own. With another provider, the states of two interactions could
 * conflict.
 */
export function fileBatches(source: PactSource, harness: Harness, isWanted: IsWanted, runs: number): Batch[] {
  const wanted = source.interactions.filter((one) => isWanted(source, one));
  const count = Math.max(1, Math.min(runs, Math.floor(wanted.length / leastInShare)));
  const shareOf = new Map(wanted.map((one, index) => [one, Math.floor((index * count) / wanted.length)]));
  return Array.from({ length: count }, (_, share) => fileBatch(source, harness, (_pact, one) => shareOf.get(one) === share));
}

const nothing: PactResults = { interactionResults: [], errors: [], result: true };
