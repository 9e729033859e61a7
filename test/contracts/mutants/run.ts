/**
 * Verifies our own pacts with changed providers. Prints JSON: for each mutation, the interactions that name its behaviours and
 * their problems. It is a program of its own, because it loads the gateway many times.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type OpenGateway, openReferenceGateway } from '../../../contracts/tools/reference-gateway.ts';
import type { Problem } from '../../../contracts/tools/verification/result.ts';
import { verify } from '../../../contracts/tools/verification/run.ts';
import { readPacts } from '../../../contracts/tools/verification/sources.ts';
import { behaviours } from '../../../spec/documents/behaviours.ts';
import { holdingTests } from '../../../spec/documents/held-by-tests.ts';
import { type ServiceName, serviceNames } from '../../../spec/documents/services.ts';
import { cohesionMutations } from './cohesion.ts';
import { spoilEvents, spoilReplies, spoils } from './fields.ts';
import { loadChanged } from './load.ts';
import type { Mutation } from './mutation.ts';
import { posMutations } from './pos.ts';

export interface Outcome {
  /** `control` for the unchanged provider. */
  mutation: string;
  /** The behaviours that the mutation takes away. */
  breaks: string[];
  /** True if the states may notice it. */
  byState: boolean;
  /** The interactions that name one of them. */
  interactions: { by: string; holds: string[]; problems: Required<Pick<Problem, 'kind' | 'path' | 'message'>>[] }[];
}

interface Changed extends Pick<Mutation, 'name' | 'breaks' | 'byState'> {
  /** Loads the changed provider. */
  load(): Promise<OpenGateway>;
}

const mutations: Record<ServiceName, readonly Mutation[]> = { pos: posMutations, cohesion: cohesionMutations };
const heldByTests = new Set(holdingTests.map(({ behaviour }) => behaviour));
const pactsFolder = join(import.meta.dirname, '../../../contracts/pacts');

function changesOf(provider: ServiceName): Changed[] {
  const inFields = behaviours[provider].filter(({ field }) => field !== undefined);
  const breaks = inFields.map(({ id }) => id);
  const spoiled = Object.entries(spoils).map(([name, spoil]) => ({
    name: `fields ${name}`,
    breaks,
    byState: false,
    load: async () => spoilReplies(await loadChanged(spoilEvents(inFields, `${provider}, ${name}`, spoil)), inFields, spoil),
  }));
  const edited = mutations[provider]
    .filter((one) => !one.breaks.every((id) => heldByTests.has(id)))
    .map((one) => ({ ...one, load: () => loadChanged(one.edits) }));
  const all = behaviours[provider].map(({ id }) => id);
  const control = { name: 'control', breaks: all, byState: false, load: async () => openReferenceGateway };
  return [control, ...spoiled, ...edited];
}

async function outcomeOf(provider: ServiceName, { name, breaks, byState, load }: Changed): Promise<Outcome> {
  const places = readdirSync(pactsFolder)
    .filter((file) => file.endsWith(`-${provider}.json`))
    .map((file) => join(pactsFolder, file));
  const { pacts, close } = await readPacts(places, (found) => found);
  const holds = new Map(
    pacts.flatMap(({ consumer, interactions }) =>
      interactions.map((one): [string, string[]] => [`${consumer}: ${one.description}`, one.holds]),
    ),
  );
  const { verification } = await verify({
    provider,
    from: pacts,
    only: (_, { holds: ids }) => ids.some((id) => breaks.includes(id)),
    reference: await load(),
  });
  await close();
  const interactions = verification.interactions.map(({ consumer, description, problems }) => {
    const by = `${consumer}: ${description}`;
    return {
      by,
      holds: holds.get(by) ?? [],
      problems: problems.map(({ kind, path = '', message }) => ({ kind, path, message })),
    };
  });
  return { mutation: `${provider}: ${name}`, breaks: [...breaks], byState, interactions };
}

// `node run.ts TEXT` runs the mutations with this text in their names.
const wanted = process.argv[2] ?? '';
for (const provider of serviceNames)
  for (const change of changesOf(provider).filter(({ name }) => name.includes(wanted)))
    process.stdout.write(`${JSON.stringify(await outcomeOf(provider, change))}\n`);
