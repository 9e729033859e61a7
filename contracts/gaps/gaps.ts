import type { ServiceName } from '../documents/services.ts';
import { cohesionCalls } from './cohesion/calls.ts';
import { cohesionData } from './cohesion/data.ts';
import { cohesionEvents } from './cohesion/events.ts';
import { cohesionHttp } from './cohesion/http.ts';
import type { Gap, GapAlternative, NameIn } from './gap.ts';
import { posCalls } from './pos/calls.ts';
import { posData } from './pos/data.ts';
import { posEvents } from './pos/events.ts';
import { posHttp } from './pos/http.ts';

export type { Gap } from './gap.ts';

const ofService = {
  pos: [...posData, ...posCalls, ...posHttp, ...posEvents],
  cohesion: [...cohesionData, ...cohesionCalls, ...cohesionHttp, ...cohesionEvents],
} satisfies Record<ServiceName, readonly Gap[]>;

/** The id of a gap. */
export type GapId<S extends ServiceName = ServiceName> = (typeof ofService)[S][number]['id'];

/** An alternative, as `GAP=ALTERNATIVE`. */
export type AlternativeName<S extends ServiceName = ServiceName> = NameIn<(typeof ofService)[S][number]>;

/**
 * The gap register: an entry for each *not shown* of the two documents, and for every other choice that they do not
 * determine. Served at `/manage/v1/gaps` and `/docs/gaps`.
 */
export const gaps: readonly Gap[] = Object.values(ofService).flat();

const byId = new Map(gaps.map((gap) => [gap.id, gap]));

export const findGap = (id: string): Gap | undefined => byId.get(id);

const alternatives = new Map<string, GapAlternative>(
  gaps.flatMap((gap) => gap.alternatives.map((alternative) => [`${gap.id}=${alternative.id}`, alternative])),
);

/** Finds an alternative by `GAP=ALTERNATIVE`. */
export const findAlternative = (name: string): GapAlternative | undefined => alternatives.get(name);

/** Two alternatives, as `GAP=ALTERNATIVE`, that no service can have at once. */
export interface Contradiction {
  one: string;
  other: string;
  because: string;
}

const contradictions: readonly Contradiction[] = [...alternatives].flatMap(([one, { excludes = {} }]) =>
  Object.entries(excludes).map(([other, because]) => ({ one, other, because })),
);

/** The first two of these alternatives that no service can have at once. A test shows that no others contradict each other. */
export const contradictionIn = (names: readonly string[]): Contradiction | undefined =>
  contradictions.find(({ one, other }) => names.includes(one) && names.includes(other));
