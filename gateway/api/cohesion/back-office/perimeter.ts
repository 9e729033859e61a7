import { invalid } from '../../../base/errors.ts';
import type { Rows } from '../../../store/port.ts';

/** Returns a perimeter without repetitions; null means all structures. Throws `invalid` if one of its structures does not exist. */
export async function knownStructures(rows: Rows, structureIds: readonly number[] | null): Promise<number[] | null> {
  if (structureIds === null) return null;
  const ids = [...new Set(structureIds)];
  const structures = ids.length === 0 ? [] : await rows.list('structures', { where: { id: { in: ids } } });
  const known = new Set(structures.map(({ id }) => id));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0) throw invalid('structure_ids', 'exists', `There is no structure ${unknown.join(', ')}.`);
  return ids;
}
