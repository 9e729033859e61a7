import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Verifiable, Verification } from '../../contracts/tools/verification/result.ts';
import { verify } from '../../contracts/tools/verification/run.ts';
import { readPacts } from '../../contracts/tools/verification/sources.ts';

/** Writes files, objects as JSON, to a folder that is removed when the test ends. */
export async function folderOf(files: Record<string, string | Buffer | object>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'passerelle-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    const isText = typeof content === 'string' || Buffer.isBuffer(content);
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), isText ? content : JSON.stringify(content));
  }
  return folder;
}

/** Writes a pact as a partner's own tools would. Returns its file, which is removed when the test ends. */
export const pactFile = async (pact: object): Promise<string> => join(await folderOf({ 'partner.json': pact }), 'partner.json');

/** A pact of version 4, by default of a partner's till. */
export const v4 = (interactions: object[], { consumer = 'partner', provider = 'pos' } = {}) => ({
  consumer: { name: consumer },
  provider: { name: provider },
  interactions: interactions.map((one) => ({ type: 'Synchronous/HTTP', ...one })),
  metadata: { pactSpecification: { version: '4.0' } },
});

/** A pact of version 2 or 3, as Pact's PHP, Python and JVM libraries write it. */
export const older = (interactions: object[], { consumer = 'partner', provider = 'pos', version = '3.0.0', ...more } = {}) => ({
  consumer: { name: consumer },
  provider: { name: provider },
  interactions,
  ...more,
  metadata: { pactRust: { ffi: '0.4.22' }, pactSpecification: { version } },
});

export const given = (...states: (string | [name: string, params: object])[]) => ({
  providerStates: states.map((state) => (typeof state === 'string' ? { name: state } : { name: state[0], params: state[1] })),
});

/** A read of the inventory of a store, in the shape of versions 2 and 3. */
export const reads = (description: string, store = 'A', status = 200) => ({
  description,
  request: { method: 'GET', path: '/api/v1/inventory', query: { store_id: [store] }, headers: { Authorization: 'Bearer xyz' } },
  response: { status },
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

export const outcomesOf = ({ interactions }: Verification) => interactions.map(({ outcome }) => outcome);

/** The messages about each interaction, by its description. */
export const messagesOf = ({ interactions }: Verification): Record<string, string[]> =>
  Object.fromEntries(interactions.map(({ description, problems }) => [description, problems.map(({ message }) => message)]));
