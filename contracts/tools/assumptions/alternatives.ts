import type { ServiceName } from '../../documents/services.ts';
import type { Alternative } from './alternative.ts';
import { cohesionAlternatives, cohesionUntestable } from './cohesion.ts';
import { posAlternatives, posUntestable } from './pos.ts';

/** The executable alternatives of each provider. */
export const alternatives: Record<ServiceName, readonly Alternative[]> = { pos: posAlternatives, cohesion: cohesionAlternatives };

/** Gaps with an alternative that one answer cannot show, and the reason. */
export const untestable: Record<ServiceName, Readonly<Record<string, string>>> = {
  pos: posUntestable,
  cohesion: cohesionUntestable,
};
