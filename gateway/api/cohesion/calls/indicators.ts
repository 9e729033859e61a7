import { z } from 'zod';
import { notFound } from '../../../base/errors.ts';
import { searchText } from '../../../http/fields.ts';
import type { Rows, Where } from '../../../store/port.ts';
import { alertStates, indicatorTypes } from '../../../store/tables/cohesion.ts';
import type { Row } from '../../../store/tables/index.ts';
import { attainmentRate } from '../attainment.ts';
import { holding, listQuery, metaOf, windowOf } from './list.ts';

/** An indicator as the document's section 2 shows it. */
export const indicator = z.object({
  id: z.int().meta({ example: 7 }),
  code: z.string().meta({ example: 'IND-007' }),
  intitule: z.string().describe('Title.').meta({ example: 'Nombre de comités de paix opérationnels' }),
  type: z.enum(indicatorTypes),
  unite: z.string().describe('Unit of measure.').meta({ example: 'comités' }),
  valeur_courante: z.number().describe('Current value.').meta({ example: 42 }),
  cible_annuelle: z.number().describe('Annual target.').meta({ example: 60 }),
  taux_atteinte: z
    .number()
    .describe('Attainment rate: current value as a percentage of the annual target, two decimals; 0 where the target is 0.')
    .meta({ example: 70, 'x-gap': ['cohesion.attainment-rate'] }),
  alert_state: z
    .enum(alertStates)
    .describe('under: below 50 % of the target; over: above 120 %.')
    .meta({ example: 'none', 'x-gap': ['cohesion.alert-states'] }),
  is_kpi: z.boolean(),
});

export const indicatorQuery = z.strictObject({
  ...listQuery,
  type: z.enum(indicatorTypes, 'must be activite, resultat or impact').optional(),
  kpi: z
    .enum(['true', 'false', '1', '0'], 'must be true, false, 1 or 0')
    .optional()
    .describe('true or 1: key performance indicators only; false or 0: all others.')
    .meta({ 'x-gap': ['cohesion.kpi-values'] }),
  q: searchText()
    .optional()
    .describe('Text in the title; accents and case do not matter.')
    .meta({ example: 'comites', 'x-gap': ['cohesion.search'] }),
});

/** Active indicators only. */
export async function listIndicators(rows: Rows, input: z.output<typeof indicatorQuery>) {
  const kpi = input.kpi === undefined ? undefined : ['true', '1'].includes(input.kpi);
  const where: Where<'indicators'> = { active: true, type: input.type, is_kpi: kpi, search: holding(input.q) };
  const [found, total] = await Promise.all([
    rows.list('indicators', { where, ...windowOf(input) }),
    rows.count('indicators', where),
  ]);
  return { data: found.map(toIndicator), meta: metaOf(input, total) };
}

/** One active indicator; one that is not active is as unknown as one that never was. */
export async function readIndicator(rows: Rows, { id }: { id: number }): Promise<z.infer<typeof indicator>> {
  const row = await rows.get('indicators', { id, active: true });
  if (!row) throw notFound('id', `There is no active indicator ${id}. GET /api/v1/indicateurs lists those there are.`);
  return toIndicator(row);
}

export function toIndicator(row: Row<'indicators'>): z.infer<typeof indicator> {
  return {
    id: row.id,
    code: row.code,
    intitule: row.intitule,
    type: row.type,
    unite: row.unite,
    valeur_courante: row.valeur_courante,
    cible_annuelle: row.cible_annuelle,
    taux_atteinte: attainmentRate(row.valeur_courante, row.cible_annuelle),
    alert_state: row.alert_state,
    is_kpi: row.is_kpi,
  };
}
