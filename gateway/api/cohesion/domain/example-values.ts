import type { Rows } from '../../../store/port.ts';

/** Values that exist within a perimeter (null: everywhere), by field name or path, so that example requests work as they are. */
export async function exampleValues(rows: Rows, structureIds: readonly number[] | null) {
  const ids = structureIds && { in: [...structureIds] };
  const [[structure], [financing], [indicator]] = await Promise.all([
    rows.list('structures', { where: { active: true, ...(ids && { id: ids }) }, limit: 1 }),
    rows.list('financings', { where: ids ? { structure_id: ids } : {}, limit: 1 }),
    rows.list('indicators', { where: { active: true }, limit: 1 }),
  ]);
  return {
    structure_id: structure?.id,
    '/api/v1/financements/{id}': financing?.id,
    '/api/v1/indicateurs/{id}': indicator?.id,
  };
}
