import type { ServiceName } from '../../documents/services.ts';
import type { Alternative } from './alternative.ts';
import { cohesionAlternatives } from './cohesion.ts';
import { posAlternatives } from './pos.ts';

/** The executable alternatives of each provider. */
export const alternatives: Record<ServiceName, readonly Alternative[]> = { pos: posAlternatives, cohesion: cohesionAlternatives };
