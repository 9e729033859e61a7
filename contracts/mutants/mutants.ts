import type { ServiceName } from '../documents/services.ts';
import { cohesionMutants, cohesionWithoutMutant } from './cohesion.ts';
import type { Mutated } from './mutant.ts';
import { posMutants, posWithoutMutant } from './pos.ts';

export type { Mutant, Mutated } from './mutant.ts';

/** Behaviours with what takes them away, in the order in which reports name them. */
export const mutated: Readonly<Record<ServiceName, readonly Mutated[]>> = { pos: posMutants, cohesion: cohesionMutants };

/** Why a behaviour has no mutant, as a sentence, by its id. */
export const withoutMutant: Readonly<Record<ServiceName, Readonly<Record<string, string>>>> = {
  pos: posWithoutMutant,
  cohesion: cohesionWithoutMutant,
};
