import type { ServiceName } from '../documents/services.ts';
import { cohesionCalls } from './cohesion-calls.ts';
import { cohesionData } from './cohesion-data.ts';
import { cohesionEvents } from './cohesion-events.ts';
import { cohesionHttp } from './cohesion-http.ts';
import type { Gap } from './gap.ts';
import { posCalls } from './pos-calls.ts';
import { posData } from './pos-data.ts';
import { posEvents } from './pos-events.ts';
import { posHttp } from './pos-http.ts';

export type { Gap } from './gap.ts';

const ofService: Record<ServiceName, readonly Gap[]> = {
  pos: [...posData, ...posCalls, ...posHttp, ...posEvents],
  cohesion: [...cohesionData, ...cohesionCalls, ...cohesionHttp, ...cohesionEvents],
};

/**
 * The gap register: an entry for each *not shown* of the two documents, and for every other choice that they do not
 * determine. Served at `/manage/v1/gaps` and `/docs/gaps`.
 */
export const gaps: readonly Gap[] = Object.values(ofService).flat();
