import type { Around } from './types.ts';

/** The perimeter of a token under the active alternative. */

const gap = 'cohesion.perimeter';

interface Within {
  structure_ids: readonly number[] | null;
}

/** Returns the ids that all of these perimeters have; null if they are all structures. */
function common(perimeters: readonly Within[]): readonly number[] | null {
  const lists = perimeters.flatMap(({ structure_ids: ids }) => (ids === null ? [] : [ids]));
  return lists.length === 0 ? null : (lists[0] as readonly number[]).filter((id) => lists.every((list) => list.includes(id)));
}

/** Returns the structures that the caller may write for; null for all. */
export function perimeterOf({ caller }: Around): readonly number[] | null {
  const { token, user } = caller as { token: Within; user: Within };
  return common([token, user]);
}

/** Returns what a read shows: everything, unless the perimeter limits reads too. */
export function readsWithin(around: Around): (structureId: number) => boolean {
  const ids = around.alternativeOf(gap) === 'reads-too' ? perimeterOf(around) : null;
  const within = ids && new Set(ids);
  return (id) => within?.has(id) ?? true;
}
