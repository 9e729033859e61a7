import Big from 'big.js';
import type { Rows } from '../../../store/port.ts';
import { indicatorTypes } from '../../../store/tables/cohesion.ts';
import { attainmentRate } from '../domain/attainment.ts';
import { shownStatuses } from '../domain/intervention-moves.ts';
import type { Stats } from '../schemas.ts';

/** Reads the aggregated statistics of one fiscal year. */
export async function readStats(rows: Rows, annee: number): Promise<Stats> {
  // One query after another, because in a transaction they share one connection.
  const ofYear = { annee, statut: { in: shownStatuses } };
  const byStatus = await rows.summarize('interventions', { where: ofYear, by: ['statut'] });
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

const tally = <By extends string>(groups: readonly ({ count: number } & Record<By, string>)[], by: By): Record<string, number> =>
  Object.fromEntries(groups.map((group) => [group[by], group.count]));
