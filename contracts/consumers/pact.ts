import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pact } from '@pact-foundation/pact';
import { afterAll, expect } from 'vitest';
import { behaviourNamed } from '../../spec/documents/behaviours.ts';
import { gaps } from '../../spec/gaps/gaps.ts';
import { normalise, type PactFile } from './normalise.ts';

export interface Declaration {
  consumer: string;
  provider: string;
  /** The expected number of interactions, to detect lost ones. */
  interactions: number;
}

const committedFolder = join(import.meta.dirname, '../pacts');
const toWrite = process.env.PASSERELLE_WRITE_PACTS === '1';

/**
 * Returns the pact of one test file. After the tests it is compared with `contracts/pacts`, or written there with
 * `PASSERELLE_WRITE_PACTS=1`.
 */
export function openPact({ consumer, provider, interactions }: Declaration): Pact {
  // Pact merges interactions into an existing file. Processes that share a file lose some, so each test file has its own folder.
  const dir = join(tmpdir(), `passerelle-pact-${randomUUID()}`);
  const name = `${consumer}-${provider}.json`;
  afterAll(() => {
    const written = existsSync(join(dir, name)) ? readFileSync(join(dir, name), 'utf8') : '{"interactions":[]}';
    rmSync(dir, { recursive: true, force: true });
    settle(name, JSON.parse(written) as PactFile, interactions);
  });
  return new Pact({ consumer, provider, dir, logLevel: 'error' });
}

function settle(name: string, pact: PactFile, declared: number): void {
  const made = pact.interactions.length;
  if (made < declared) {
    throw new Error(
      `${name} has ${made} interactions of the ${declared} declared. A pact is compared or written only when all tests of its file ran (no -t, no skip) and passed; if they did, two of them have one description and state.`,
    );
  }
  expect(made, `${name} has more interactions than are declared. Correct the declaration.`).toBe(declared);
  const text = normalise(pact);
  const committed = join(committedFolder, name);
  if (toWrite) writeFileSync(committed, text);
  const before = existsSync(committed) ? readFileSync(committed, 'utf8') : '';
  expect(text, `${name} differs from the file in contracts/pacts. If the change is intended, run npm run pacts.`).toBe(before);
}

const known = new Set(gaps.map(({ id }) => id));

interface Referring {
  reference(group: string, name: string, value: string): unknown;
}

/** Adds references to gaps to an interaction: by gap id, the part that depends on it. */
export function rests<I extends Referring>(interaction: I, reasons: Readonly<Record<string, string>>): I {
  for (const [id, reason] of Object.entries(reasons)) {
    if (!known.has(id)) throw new Error(`spec/gaps has no gap ${id}.`);
    interaction.reference('gap', id, reason);
  }
  return interaction;
}

/** Adds references to the documented behaviours that an interaction holds, with the document's words. */
export function holds<I extends Referring>(interaction: I, ids: readonly string[]): I {
  for (const id of ids) {
    const behaviour = behaviourNamed(id);
    if (behaviour === undefined) throw new Error(`spec/documents has no behaviour ${id}.`);
    interaction.reference('behaviour', id, behaviour.says);
  }
  return interaction;
}
