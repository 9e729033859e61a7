import Big from 'big.js';
import { z } from 'zod';
import { yearParam } from '../../../http/fields.ts';
import type { Rows } from '../../../store/port.ts';
import { indicatorTypes } from '../../../store/tables/cohesion.ts';
import { attainmentRate } from '../attainment.ts';
import { shownStatuses } from '../intervention-moves.ts';

const counts = z.record(z.string(), z.int());

export const stats = z
  .object({
    annee: z.int().meta({ example: 2026 }),
    interventions: z
      .object({ total: z.int(), par_statut: counts })
      .describe('Interventions of the year; drafts are not counted.'),
    indicateurs: z
      .object({
        total: z.int(),
        par_type: counts,
        kpi: z.int().describe('Key performance indicators among them.'),
        en_alerte: z.int().describe('Those whose alert_state is not none.'),
        taux_atteinte_moyen: z.number().describe('Mean attainment rate, two decimals; 0 where there is none.'),
      })
      .describe('Active indicators, as they stand now.'),
    structures: z.object({ total: z.int(), par_type: counts }).describe('Active structures, as they stand now.'),
    financements: z
      .object({
        total: z.int(),
        par_statut: z.array(z.object({ statut: z.string(), devise: z.string(), nombre: z.int(), montant: z.number() })),
      })
      .describe('External financings of the fiscal year: how many and how much of each status and currency.'),
  })
  .meta({ 'x-gap': ['cohesion.stats-fields'] });

export type Stats = z.infer<typeof stats>;

export const statsQuery = z.strictObject({
  annee: yearParam().optional().describe('Fiscal year, YYYY; the current one (UTC) by default.').meta({ example: 2026 }),
});

/** Aggregated statistics of one fiscal year, from what is stored at this moment. */
export async function readStats(rows: Rows, { annee }: { annee: number }): Promise<Stats> {
  // One after the other: in a transaction they share one connection.
  const byStatus = await rows.summarize('interventions', { where: { annee, statut: { in: shownStatuses } }, by: ['statut'] });
  const indicators = await indicatorFigures(rows);
  const structures = await rows.summarize('structures', { where: { active: true }, by: ['type'] });
  const financings = await rows.summarize('financings', {
    where: { exercice: annee },
    by: ['statut', 'devise'],
    sum: ['montant'],
  });
  const zeros = Object.fromEntries(shownStatuses.map((status) => [status, 0]));
  return {
    annee,
    interventions: { total: total(byStatus), par_statut: { ...zeros, ...tally(byStatus, 'statut') } },
    indicateurs: indicators,
    structures: { total: total(structures), par_type: tally(structures, 'type') },
    financements: {
      total: total(financings),
      par_statut: financings.map(({ statut, devise, count, montant }) => ({
        statut,
        devise,
        nombre: count,
        montant: Number(montant),
      })),
    },
  };
}

async function indicatorFigures(rows: Rows): Promise<Stats['indicateurs']> {
  const active = await rows.list('indicators', { where: { active: true } });
  const rates = active.map((row) => attainmentRate(row.valeur_courante, row.cible_annuelle));
  const sum = rates.reduce((running, rate) => running.plus(rate), Big(0));
  return {
    total: active.length,
    par_type: Object.fromEntries(indicatorTypes.map((type) => [type, active.filter((row) => row.type === type).length])),
    kpi: active.filter((row) => row.is_kpi).length,
    en_alerte: active.filter((row) => row.alert_state !== 'none').length,
    taux_atteinte_moyen: rates.length === 0 ? 0 : sum.div(rates.length).round(2).toNumber(),
  };
}

const total = (groups: readonly { count: number }[]) => groups.reduce((sum, { count }) => sum + count, 0);

function tally<By extends string>(groups: readonly ({ count: number } & Record<By, string>)[], by: By): Record<string, number> {
  return Object.fromEntries(groups.map((group) => [group[by], group.count]));
}
