import type { CohesionCaller } from '../identity.ts';
import type { CohesionPolicy } from '../policy.ts';

/** Returns the structures in the perimeters of both the token and its user; null for all (gap cohesion.perimeter). */
export function structuresOf({ token, user }: CohesionCaller): readonly number[] | null {
  const [own, users] = [token.structure_ids, user.structure_ids];
  return own && users ? own.filter((id) => users.includes(id)) : (own ?? users);
}

/** Returns the condition on the structures whose records a caller reads; undefined for all. */
export function readableBy(caller: CohesionCaller, { perimeterLimits }: Pick<CohesionPolicy, 'perimeterLimits'>) {
  const ids = perimeterLimits === 'writes' ? null : structuresOf(caller);
  return ids === null ? undefined : { in: ids };
}
