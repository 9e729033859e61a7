import { z } from 'zod';
import { nearestOf } from '../../../gateway/base/nearest.ts';
import type { Provider } from '../../documents/services.ts';
import { cohesionStates } from './cohesion.ts';
import { posStates } from './pos.ts';
import type { ProviderState, State, World } from './state.ts';

/** Every provider state that a pact may name (`contracts/tools/verification/STATES.md`). */
export const states: Record<Provider, readonly State[]> = { pos: posStates, cohesion: cohesionStates };

/** A state that a pact names and that could not be set up: its message says which, why, and what is nearest. */
export class StateFailed extends Error {
  override name = 'StateFailed';
}

/** Makes a state true, and gives what it returns. Throws `StateFailed`. */
export async function setUpState(provider: Provider, world: World, { name, params }: ProviderState) {
  const found = states[provider].find((one) => one.name === name);
  if (!found) throw new StateFailed(unknownState(provider, name));
  const parsed = found.params.safeParse(params);
  if (!parsed.success) throw new StateFailed(`The parameters of "${name}" cannot be used: ${z.prettifyError(parsed.error)}.`);
  try {
    const returned = await found.setUp(world, parsed.data);
    Object.assign(world.values, returned);
    return returned;
  } catch (error) {
    throw new StateFailed(`"${name}" could not be set up: ${(error as Error).message}`, { cause: error });
  }
}

/** The state of an event whose type stands in a message's description, for a message that names no state. */
export function stateOfEvent(provider: Provider, description: string): string | undefined {
  return states[provider].find(({ event }) => event && description.includes(event))?.name;
}

function unknownState(provider: Provider, name: string): string {
  const nearest = nearestOf(
    name,
    states[provider].map((one) => one.name),
  );
  return `There is no provider state "${name}" for ${provider}. The nearest is "${nearest}"; contracts/tools/verification/STATES.md lists them all.`;
}
