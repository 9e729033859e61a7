import type { Provider } from '../../documents/services.ts';
import type { Alternative } from './alternative.ts';
import { cohesionAlternatives, cohesionUnseen } from './cohesion.ts';
import { posAlternatives, posUnseen } from './pos.ts';

/** What each provider would have said, had it chosen otherwise. */
export const alternatives: Record<Provider, readonly Alternative[]> = { pos: posAlternatives, cohesion: cohesionAlternatives };

/** Gaps of which some alternative cannot show in an answer to one request, and why. */
export const unseen: Record<Provider, Readonly<Record<string, string>>> = { pos: posUnseen, cohesion: cohesionUnseen };
