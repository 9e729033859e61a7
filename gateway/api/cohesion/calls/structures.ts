import { z } from 'zod';
import { searchText } from '../../../http/fields.ts';
import type { Rows, Where } from '../../../store/port.ts';
import { structureTypes } from '../../../store/tables/cohesion.ts';
import type { Row } from '../../../store/tables/index.ts';
import { being, holding, listQuery, metaOf, windowOf } from './list.ts';

export const structure = z
  .object({
    id: z.int().meta({ example: 4 }),
    nom: z.string().meta({ example: 'Association Paix et Développement du Gbêkê' }),
    sigle: z.string().nullable().describe('Short name.').meta({ example: 'APDG' }),
    type: z.enum(structureTypes),
    region: z.string().meta({ example: 'Gbêkê' }),
  })
  .meta({ 'x-gap': ['cohesion.structure-fields'] });

export const structureQuery = z.strictObject({
  ...listQuery,
  type: searchText(50).optional().describe('A type; one that is not known matches nothing.').meta({ example: 'ong' }),
  region: searchText(100).optional().describe('The name of a region; accents and case do not matter.').meta({ example: 'gbeke' }),
  q: searchText().optional().describe('Text in the name; accents and case do not matter.').meta({ example: 'paix' }),
});

/** Active structures only. */
export async function listStructures(rows: Rows, input: z.output<typeof structureQuery>) {
  const where: Where<'structures'> = {
    active: true,
    type: input.type || undefined,
    region_search: being(input.region),
    search: holding(input.q),
  };
  const [found, total] = await Promise.all([
    rows.list('structures', { where, ...windowOf(input) }),
    rows.count('structures', where),
  ]);
  return { data: found.map(toStructure), meta: metaOf(input, total) };
}

export function toStructure(row: Row<'structures'>): z.infer<typeof structure> {
  return { id: row.id, nom: row.nom, sigle: row.sigle, type: row.type, region: row.region };
}
