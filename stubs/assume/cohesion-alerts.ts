import { attainmentRate } from '../../gateway/api/cohesion/domain/attainment.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import type { Variant, Variants } from './types.ts';

/** Alternatives for when an indicator is in alert. The document shows no threshold, so these are ours. */

interface Thresholds {
  underPercent: number;
  overPercent: number;
}

/** Gives indicators the alert state that they have with these thresholds, in lists, details, statistics and triggers. */
const judgedBy = (thresholdsOf: (row: Row<'indicators'>) => Thresholds): Variant => ({
  reply: (reply) => reply,
  row(table, row) {
    if (table !== 'indicators') return row;
    const indicator = row as Row<'indicators'>;
    return { ...row, alert_state: stateOf(indicator, thresholdsOf(indicator)) };
  },
});

function stateOf({ valeur_courante: value, cible_annuelle: target, alert_state }: Row<'indicators'>, limits: Thresholds) {
  // An indicator without a target is never in alert, nor is one whose value was never set.
  if (target === 0 || (value === 0 && alert_state === 'none')) return 'none';
  const rate = attainmentRate(value, target);
  if (rate < limits.underPercent) return 'under';
  return rate > limits.overPercent ? 'over' : 'none';
}

const ownThresholds = ({ id }: Row<'indicators'>): Thresholds => ({
  underPercent: 30 + 10 * (id % 5),
  overPercent: 110 + 10 * (id % 4),
});

/** The part of its year that was over when the value was set, by whole months. */
function shareOfYear({ updated_at }: Row<'indicators'>): number {
  return (new Date(updated_at).getUTCMonth() + 1) / 12;
}

/** The part of the year's target that is due: half of it in June. */
const risingThresholds = (row: Row<'indicators'>): Thresholds => ({
  underPercent: 80 * shareOfYear(row),
  overPercent: 120 * shareOfYear(row),
});

export const cohesionAlertVariants: Variants = {
  'cohesion.indicator-alert-condition=per-indicator': judgedBy(ownThresholds),
  'cohesion.indicator-alert-condition=rising': judgedBy(risingThresholds),
};
