import { z } from 'zod';
import { amount, changeOf, id, idParam, instant, intParam, searchText, text, yearParam } from '../../http/fields.ts';
import {
  alertStates,
  financingStatuses,
  financingTypes,
  indicatorTypes,
  interventionStatuses,
  structureTypes,
} from '../../store/tables/cohesion.ts';

/** Schemas of the social-cohesion document's requests and replies. */

export const idParams = z.object({ id: idParam() });
export const noQuery = z.strictObject({});

const largestPage = 2 ** 31 - 1;

/** Query parameters of every list (gap cohesion.page-parameter, gap cohesion.structures-per-page). */
const listQuery = {
  page: intParam(1, largestPage)
    .default(1)
    .describe('Number of the page. A page after the last is empty.')
    .meta({ 'x-gap': ['cohesion.page-parameter'] }),
  per_page: intParam(1, 100)
    .default(25)
    .describe('Rows a page.')
    .meta({ 'x-gap': ['cohesion.per-page-bounds'] }),
};

/** A word in replies, documented as one of these. A stub may be told to show others. */
const oneOf = (words: readonly string[]) => z.string().meta({ enum: [...words] });

const pagination = z
  .object({
    page: z.int().meta({ example: 1 }),
    per_page: z.int().meta({ example: 25 }),
    total: z.int().describe('Rows on all pages.').meta({ example: 90 }),
    last_page: z.int().describe('1 if there are no rows.').meta({ example: 4 }),
  })
  .describe('The pagination block (section 2).');
export type Pagination = z.output<typeof pagination>;

export const listOf = <S extends z.ZodType>(row: S) => z.object({ data: z.array(row), meta: pagination });

export const me = z.object({
  data: z.object({
    user: z.object({
      id: z.int().meta({ example: 1 }),
      name: z.string().meta({ example: 'Aya Kouassi' }),
      email: z.string().meta({ example: 'aya.kouassi@example.org' }),
      role: z.string().meta({ example: 'admin' }),
    }),
    token: z.object({
      name: z.string().describe('Label of the token.').meta({ example: 'Tableau de bord' }),
      abilities: z
        .array(z.string())
        .describe('Abilities held by the token.')
        .meta({ example: ['read:indicators', 'read:stats'] }),
      last_used_at: instant()
        .describe('When the token was last used, which is the time of this call.')
        .meta({ example: '2026-11-21T08:53:00.000Z' }),
    }),
  }),
});
export type MeView = z.output<typeof me>;

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
    .describe('Attainment rate: current value as a percentage of the annual target, two decimals. 0 if the target is 0.')
    .meta({ example: 70, 'x-gap': ['cohesion.attainment-rate'] }),
  alert_state: z
    .enum(alertStates)
    .describe('under: below 50 % of the target; over: above 120 %.')
    .meta({ example: 'none', 'x-gap': ['cohesion.alert-states'] }),
  is_kpi: z.boolean(),
});
export type IndicatorView = z.output<typeof indicator>;

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
    .describe('Text in the title. Accents and case are ignored.')
    .meta({ example: 'comites', 'x-gap': ['cohesion.search'] }),
});

export const intervention = z
  .object({
    id: z.int().meta({ example: 31 }),
    reference: z.string().meta({ example: 'INT-2026-0031' }),
    intitule: z.string().describe('Title.').meta({ example: 'Dialogue intercommunautaire à Bouaké' }),
    statut: oneOf(interventionStatuses).meta({ example: 'en_cours', 'x-gap': ['cohesion.intervention-statuses'] }),
    structure_id: z.int().describe('The structure that carries it out.').meta({ example: 4 }),
    region: z.string().meta({ example: 'Gbêkê' }),
    annee: z.int().meta({ example: 2026 }),
    date_debut: z.string().nullable().describe('First day, YYYY-MM-DD.').meta({ example: '2026-03-02' }),
    date_fin: z.string().nullable().describe('Last day, YYYY-MM-DD.').meta({ example: '2026-09-30' }),
    budget: z.number().nullable().describe('In XOF.').meta({ example: 12500000 }),
  })
  .meta({ 'x-gap': ['cohesion.intervention-fields'] });
export type InterventionView = z.output<typeof intervention>;

export const interventionQuery = z.strictObject({
  ...listQuery,
  statut: searchText(50)
    .optional()
    .describe('A status. An unknown one matches nothing, and so does `brouillon`.')
    .meta({ example: 'en_cours' }),
  region: searchText(100).optional().describe('The name of a region. Accents and case are ignored.').meta({ example: 'gbeke' }),
  annee: yearParam()
    .optional()
    .describe('YYYY.')
    .meta({ example: 2026, 'x-gap': ['cohesion.annee-values'] }),
  q: searchText().optional().describe('Text in the title. Accents and case are ignored.').meta({ example: 'dialogue' }),
});

export const structure = z
  .object({
    id: z.int().meta({ example: 4 }),
    nom: z.string().meta({ example: 'Association Paix et Développement du Gbêkê' }),
    sigle: z.string().nullable().describe('Short name.').meta({ example: 'APDG' }),
    type: z.enum(structureTypes),
    region: z.string().meta({ example: 'Gbêkê' }),
  })
  .meta({ 'x-gap': ['cohesion.structure-fields'] });
export type StructureView = z.output<typeof structure>;

export const structureQuery = z.strictObject({
  ...listQuery,
  type: searchText(50).optional().describe('A type. An unknown one matches nothing.').meta({ example: 'ong' }),
  region: searchText(100).optional().describe('The name of a region. Accents and case are ignored.').meta({ example: 'gbeke' }),
  q: searchText().optional().describe('Text in the name. Accents and case are ignored.').meta({ example: 'paix' }),
});

const counts = z.record(z.string(), z.int());

export const stats = z
  .object({
    annee: z.int().meta({ example: 2026 }),
    interventions: z.object({ total: z.int(), par_statut: counts }).describe('Interventions of the year, without drafts.'),
    indicateurs: z
      .object({
        total: z.int(),
        par_type: counts,
        kpi: z.int().describe('Key performance indicators among them.'),
        en_alerte: z.int().describe('Indicators whose alert_state is not `none`.'),
        taux_atteinte_moyen: z.number().describe('Mean attainment rate, two decimals. 0 if there are no indicators.'),
      })
      .describe('Active indicators, with their current values.'),
    structures: z.object({ total: z.int(), par_type: counts }).describe('Structures that are active now.'),
    financements: z
      .object({
        total: z.int(),
        par_statut: z.array(z.object({ statut: z.string(), devise: z.string(), nombre: z.int(), montant: z.number() })),
      })
      .describe('External financings of the fiscal year: number and sum by status and currency.'),
  })
  .meta({ 'x-gap': ['cohesion.stats-fields'] });

export type Stats = z.infer<typeof stats>;

export const statsQuery = z.strictObject({
  annee: yearParam()
    .optional()
    .describe('Fiscal year, YYYY. The default is the current one (UTC).')
    .meta({ example: 2026, 'x-gap': ['cohesion.annee-values'] }),
});

export const defaultCurrency = 'XOF';

const financingFields = {
  structure_id: id().describe('The structure that owns it. It must lie in the perimeter of the token.').meta({ example: 4 }),
  exercice: z
    .int('must be a year, YYYY')
    .min(1900, 'must be 1900 or later')
    .max(2100, 'must be 2100 or earlier')
    .describe('Fiscal year, YYYY.')
    .meta({ example: 2026 }),
  bailleur: text(200).describe("The funder's name.").meta({ example: 'Banque mondiale' }),
  type: z
    .enum(financingTypes, `must be one of ${financingTypes.join(', ')}`)
    .meta({ example: 'bailleur', 'x-gap': ['cohesion.financing-types'] }),
  intitule: text(300).describe('Title.').meta({ example: 'Appui aux comités de paix' }),
  montant: amount({ max: 1e15, decimals: 2 }).describe('Amount in `devise`, at most two decimals.').meta({ example: 25000000 }),
  statut: z
    .enum(financingStatuses, `must be one of ${financingStatuses.join(', ')}`)
    .meta({ example: 'promis', 'x-gap': ['cohesion.financing-statuses'] }),
};

const devise = z
  .string()
  .regex(/^[A-Z]{3}$/, 'must be a currency code of three capital letters, such as XOF')
  .describe('Currency code (ISO 4217).')
  .meta({ example: 'XOF', 'x-gap': ['cohesion.devise-sent'] });

export const financing = z.object({
  id: z.int().meta({ example: 12 }),
  structure_id: z.int().meta({ example: 4 }),
  exercice: z.int().meta({ example: 2026 }),
  bailleur: z.string().meta({ example: 'Banque mondiale' }),
  type: oneOf(financingTypes).meta({ example: 'bailleur' }),
  intitule: z.string().meta({ example: 'Appui aux comités de paix' }),
  montant: z.number().meta({ example: 25000000 }),
  devise: z.string().meta({ example: 'XOF' }),
  statut: oneOf(financingStatuses).meta({ example: 'promis' }),
});
export type FinancingView = z.output<typeof financing>;

export const newFinancing = z
  .strictObject({ ...financingFields, devise: devise.default(defaultCurrency) })
  .meta({ 'x-gap': ['cohesion.financing-create-required', 'cohesion.financing-bounds', 'cohesion.strict-bodies'] });

export const changedFinancing = changeOf({ ...financingFields, devise }, 'must have at least one field to change').meta({
  'x-gap': [
    'cohesion.financing-update-required',
    'cohesion.financing-bounds',
    'cohesion.financing-moves',
    'cohesion.strict-bodies',
  ],
});
