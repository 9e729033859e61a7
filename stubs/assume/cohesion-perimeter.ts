import type { Around } from './types.ts';

/** The perimeter of a token under the active alternative. */

const gap = 'cohesion.perimeter';

export interface Within {
  structure_ids: readonly number[] | null;
}

export interface Caller {
  token: Within;
  user: Within;
}

/** Returns the ids that all of these perimeters have; null if they are all structures. */
function common(perimeters: readonly Within[]): readonly number[] | null {
  const lists = perimeters.flatMap(({ structure_ids: ids }) => (ids === null ? [] : [ids]));
  return lists.length === 0 ? null : (lists[0] as readonly number[]).filter((id) => lists.every((list) => list.includes(id)));
}

/** Returns the structures that the caller may write for under the active alternative; null for all. */
export async function perimeterOf(around: Around): Promise<readonly number[] | null> {
  const { token, user } = around.caller as Caller;
  if (around.alternativeOf(gap) !== 'of-user') return common([token, user]);
  if (user.structure_ids !== null) return user.structure_ids;
  const first = token.structure_ids?.[0];
  const home = first === undefined ? undefined : await around.store.get('structures', { id: first });
  if (home === undefined) return null;
  const { region } = home;
  return (await around.store.list('structures', { where: { region, active: true } })).map(({ id }) => id);
}

/** Returns what a read shows: everything, unless the perimeter limits reads too. */
export async function readsWithin(around: Around): Promise<(structureId: number) => boolean> {
  const ids = around.alternativeOf(gap) === 'reads-too' ? await perimeterOf(around) : null;
  const within = ids && new Set(ids);
  return (id) => within?.has(id) ?? true;
}
