import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Verifiable } from '../../contracts/tools/verification/result.ts';
import { verify } from '../../contracts/tools/verification/run.ts';
import { readPacts } from '../../contracts/tools/verification/sources.ts';

/** Writes a pact as a partner's own tools would. Returns its file, which is removed when the test ends. */
export async function pactFile(pact: object): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'passerelle-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'partner.json');
  await writeFile(file, JSON.stringify(pact));
  return file;
}

/** A pact of version 4, by default of a partner's till. */
export const v4 = (interactions: object[], { consumer = 'partner', provider = 'pos' } = {}) => ({
  consumer: { name: consumer },
  provider: { name: provider },
  interactions: interactions.map((one) => ({ type: 'Synchronous/HTTP', ...one })),
  metadata: { pactSpecification: { version: '4.0' } },
});

/** Verifies one pact with the reference implementation. */
export async function verifyPact(pact: object, provider: Verifiable = 'pos', more: Partial<Parameters<typeof verify>[0]> = {}) {
  const { pacts, close } = await readPacts([await pactFile(pact)]);
  try {
    return await verify({ provider, from: pacts, ...more });
  } finally {
    await close();
  }
}
