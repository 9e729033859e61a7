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

export type GapId<S extends ServiceName = ServiceName> = (typeof ofService)[S][number]['id'];

/** An alternative, as `GAP=ALTERNATIVE`. */
export type AlternativeName<S extends ServiceName = ServiceName> = NameIn<(typeof ofService)[S][number]>;

/** The gap register: an entry for each *not shown* of the two documents, and for every other choice that they do not determine. */
export const gaps: readonly Gap[] = Object.values(ofService).flat();

export const gapsOf = (api: ServiceName): Gap[] => gaps.filter((gap) => gap.api === api);

const byId = new Map(gaps.map((gap) => [gap.id, gap]));

export const findGap = (id: string): Gap | undefined => byId.get(id);

/** Returns the name of an alternative, such as `pos.sale-status=200`. */
export const nameAlternative = (gap: string, id: string): string => `${gap}=${id}`;

const alternatives = new Map<string, GapAlternative>(
  gaps.flatMap((gap) => gap.alternatives.map((alternative) => [nameAlternative(gap.id, alternative.id), alternative])),
);

/** Finds an alternative by its name. */
export const findAlternative = (name: string): GapAlternative | undefined => alternatives.get(name);

/** The first two of these alternatives that no service can have at once. A test shows that no others contradict each other. */
export function contradictionIn(names: readonly string[]): { one: string; other: string; because: string } | undefined {
  const pairs = names.flatMap((one) =>
    Object.entries(findAlternative(one)?.excludes ?? {}).map(([other, because]) => ({ one, other, because })),
  );
  return pairs.find(({ other }) => names.includes(other));
}
