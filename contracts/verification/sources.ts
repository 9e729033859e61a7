import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { z } from 'zod';
import { CouldNotRun } from './pact.ts';
import type { ProviderState, Verifiable } from './result.ts';

/** A pact that was read, and where Pact's verifier finds it. */
export interface PactSource {
  /** As the user named it. */
  name: string;
  file: string;
  consumer: string;
  provider: string;
  interactions: { kind: 'http' | 'message'; description: string; states: ProviderState[]; restsOn: string[] }[];
}

/** What a pact may call each provider, without case and punctuation. */
const names: Record<Verifiable, readonly string[]> = {
  pos: ['pos', 'pointofsale', 'pointofsaleapi', 'pointofsaleintegrationapi'],
  cohesion: ['cohesion', 'socialcohesion', 'socialcohesionapi', 'socialcohesionmanagementapi'],
  'webhook-receiver': ['webhookreceiver', 'receiver'],
};

/** The provider that a pact's own name for it means. */
export function providerOf(name: string): Verifiable | undefined {
  const plain = name.toLowerCase().replace(/[^a-z]/g, '');
  return (Object.keys(names) as Verifiable[]).find((provider) => names[provider].includes(plain));
}

/** A pact from an address is read whole: at most this many bytes of it. */
const maxPactBytes = 20_000_000;
const answerDeadlineMs = 30_000;

/**
 * Reads pacts from files, folders (their `.json` files, sorted) and addresses. Those from addresses are kept in a folder
 * that `close` removes. Throws `CouldNotRun` for what is no pact, naming it.
 */
export async function readPacts(places: readonly string[]): Promise<{ pacts: PactSource[]; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'passerelle-pacts-'));
  const close = () => rm(folder, { recursive: true, force: true });
  try {
    const files: { name: string; file: string }[] = [];
    for (const [index, place] of places.entries()) {
      files.push(...(isAddress(place) ? [await download(place, join(folder, `${index}.json`))] : await listed(place)));
    }
    return { pacts: await Promise.all(files.map(readPact)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

const isAddress = (place: string) => /^https?:\/\//i.test(place);

async function listed(place: string): Promise<{ name: string; file: string }[]> {
  const found = await stat(place).catch(() => undefined);
  if (!found) throw new CouldNotRun(`There is no pact at ${place}: name a file, a folder or an address with --pact.`);
  if (!found.isDirectory()) return [{ name: place, file: place }];
  const files = (await readdir(place)).filter((name) => name.endsWith('.json')).sort();
  if (files.length === 0) throw new CouldNotRun(`The folder ${place} has no pact: its name would end in .json.`);
  return files.map((name) => ({ name: join(place, name), file: join(place, name) }));
}

async function download(address: string, file: string): Promise<{ name: string; file: string }> {
  const { username, password, origin, pathname, search } = new URL(address);
  const name = `${origin}${pathname}`;
  const authorization = username === '' ? undefined : `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const reply = await request(`${name}${search}`, {
    headers: { accept: 'application/json', ...(authorization ? { authorization } : {}) },
    signal: AbortSignal.timeout(answerDeadlineMs),
  }).catch((error: Error) => {
    throw new CouldNotRun(`${name} gave no answer: ${error.message}.`);
  });
  const text = await reply.body.text();
  if (reply.statusCode !== 200) throw new CouldNotRun(`${name} answered ${reply.statusCode} instead of a pact.`);
  if (text.length > maxPactBytes) throw new CouldNotRun(`${name} is longer than ${maxPactBytes} characters.`);
  await writeFile(file, text);
  return { name, file };
}

const stateShape = z.union([
  z.looseObject({ name: z.string(), params: z.record(z.string(), z.unknown()).default({}) }),
  z.string().transform((name) => ({ name, params: {} })),
]);
const interactionShape = z.looseObject({
  type: z.string().default(''),
  description: z.string().default(''),
  providerStates: z.array(stateShape).default([]),
  comments: z
    .looseObject({ references: z.looseObject({ gap: z.record(z.string(), z.unknown()).default({}) }).optional() })
    .optional(),
});
const pactShape = z.looseObject({
  consumer: z.looseObject({ name: z.string() }),
  provider: z.looseObject({ name: z.string() }),
  interactions: z.array(interactionShape).default([]),
  messages: z.array(interactionShape).default([]),
});

async function readPact({ name, file }: { name: string; file: string }): Promise<PactSource> {
  let parsed: z.ZodSafeParseResult<z.output<typeof pactShape>>;
  try {
    parsed = pactShape.safeParse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    throw new CouldNotRun(`${name} is no JSON: ${(error as Error).message}.`);
  }
  if (!parsed.success) throw new CouldNotRun(`${name} is no pact: ${z.prettifyError(parsed.error)}`);
  const { consumer, provider, interactions, messages } = parsed.data;
  return {
    name,
    file,
    consumer: consumer.name,
    provider: provider.name,
    interactions: [...interactions, ...messages.map((one) => ({ ...one, type: 'Asynchronous/Messages' }))].map((one) => ({
      kind: one.type.includes('Messages') ? ('message' as const) : ('http' as const),
      description: one.description,
      states: one.providerStates,
      restsOn: Object.keys(one.comments?.references?.gap ?? {}),
    })),
  };
}
