import { z } from 'zod';
import { nearestOf } from '../../../gateway/base/nearest.ts';
import type { ServiceName } from '../../documents/services.ts';
import { cohesionStates } from './cohesion.ts';
import { posStates } from './pos.ts';
import type { ProviderState, State, World } from './state.ts';

/** All provider states (`contracts/tools/verification/STATES.md`). */
export const states: Record<ServiceName, readonly State[]> = { pos: posStates, cohesion: cohesionStates };

/** A provider state could not be set up. The message names the state and the reason. */
export class StateFailed extends Error {
  override name = 'StateFailed';
}

/** Sets up a state and returns its values. Throws `StateFailed`. */
export async function setUpState(provider: ServiceName, world: World, { name, params }: ProviderState) {
  const found = states[provider].find((one) => one.name === name);
  if (!found) throw new StateFailed(unknownState(provider, name));
  const parsed = found.params.safeParse(params);
  if (!parsed.success)
    throw new StateFailed(`The parameters of the state "${name}" are not valid: ${z.prettifyError(parsed.error)}.`);
  try {
    const returned = await found.setUp(world, parsed.data);
    Object.assign(world.values, returned);
    return returned;
  } catch (error) {
    throw new StateFailed(`The state "${name}" could not be set up: ${(error as Error).message}`, { cause: error });
  }
}

/** Returns the state of the event that a message's description names, for messages without a state. */
export function stateOfEvent(provider: ServiceName, description: string): string | undefined {
  return states[provider].find(({ event }) => event && description.includes(event))?.name;
}

function unknownState(provider: ServiceName, name: string): string {
  const nearest = nearestOf(
    name,
    states[provider].map((one) => one.name),
  );
  return `${provider} has no provider state "${name}". Did you mean "${nearest}"? See contracts/tools/verification/STATES.md.`;
}
