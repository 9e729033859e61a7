import type { Gap } from './gap.ts';
import { cohesionCalls } from './register/cohesion-calls.ts';
import { cohesionData } from './register/cohesion-data.ts';
import { cohesionEvents } from './register/cohesion-events.ts';
import { posCalls } from './register/pos-calls.ts';
import { posData } from './register/pos-data.ts';
import { posEvents } from './register/pos-events.ts';

export type { Gap } from './gap.ts';

/**
 * The gap register: an entry for each *not shown* of the two documents, and for what else they are silent about and
 * had to be chosen. Served at `/manage/v1/gaps` and `/docs/gaps`.
 */
export const gaps: readonly Gap[] = [...posData, ...posCalls, ...posEvents, ...cohesionData, ...cohesionCalls, ...cohesionEvents];
