import { z } from 'zod';
import { searchText, yearParam } from '../../../http/fields.ts';
import type { Rows, Where } from '../../../store/port.ts';
import { interventionStatuses } from '../../../store/tables/cohesion.ts';
import type { Row } from '../../../store/tables/index.ts';
import { shownStatuses } from '../intervention-moves.ts';
import { being, holding, listQuery, metaOf, windowOf } from './list.ts';

export const intervention = z
  .object({
    id: z.int().meta({ example: 31 }),
    reference: z.string().meta({ example: 'INT-2026-0031' }),
    intitule: z.string().describe('Title.').meta({ example: 'Dialogue intercommunautaire à Bouaké' }),
    statut: z.enum(interventionStatuses).meta({ example: 'en_cours', 'x-gap': ['cohesion.intervention-statuses'] }),
    structure_id: z.int().describe('The structure that carries it out.').meta({ example: 4 }),
    region: z.string().meta({ example: 'Gbêkê' }),
    annee: z.int().meta({ example: 2026 }),
    date_debut: z.string().nullable().describe('First day, YYYY-MM-DD.').meta({ example: '2026-03-02' }),
    date_fin: z.string().nullable().describe('Last day, YYYY-MM-DD.').meta({ example: '2026-09-30' }),
    budget: z.number().nullable().describe('In XOF.').meta({ example: 12500000 }),
  })
  .meta({ 'x-gap': ['cohesion.intervention-fields'] });

export const interventionQuery = z.strictObject({
  ...listQuery,
  statut: searchText(50)
    .optional()
    .describe('A status; one that is not known matches nothing, and so do drafts.')
    .meta({ example: 'en_cours' }),
  region: searchText(100).optional().describe('The name of a region; accents and case do not matter.').meta({ example: 'gbeke' }),
  annee: yearParam().optional().describe('YYYY.').meta({ example: 2026 }),
  q: searchText().optional().describe('Text in the title; accents and case do not matter.').meta({ example: 'dialogue' }),
});

/** Never drafts, not even when they are asked for. */
export async function listInterventions(rows: Rows, input: z.output<typeof interventionQuery>) {
  const where: Where<'interventions'> = {
    statut: { in: input.statut ? shownStatuses.filter((status) => status === input.statut) : shownStatuses },
    region_search: being(input.region),
    annee: input.annee,
    search: holding(input.q),
  };
  const [found, total] = await Promise.all([
    rows.list('interventions', { where, ...windowOf(input) }),
    rows.count('interventions', where),
  ]);
  return { data: found.map(toIntervention), meta: metaOf(input, total) };
}

export function toIntervention(row: Row<'interventions'>): z.infer<typeof intervention> {
  return {
    id: row.id,
    reference: row.reference,
    intitule: row.intitule,
    statut: row.statut,
    structure_id: row.structure_id,
    region: row.region,
    annee: row.annee,
    date_debut: row.date_debut,
    date_fin: row.date_fin,
    budget: row.budget === null ? null : Number(row.budget),
  };
}
