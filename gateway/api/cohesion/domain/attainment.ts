import Big from 'big.js';
import type { AlertState } from '../../../store/tables/cohesion.ts';

/** An indicator is in alert below or above these percentages of its annual target (gap cohesion.indicator-alert-condition). */
const alertThresholds = { underPercent: 50, overPercent: 120 } as const;

/** Returns the current value as a percentage of the annual target, with two decimals. Returns 0 if the target is 0. */
export const attainmentRate = (value: number, target: number): number =>
  target === 0 ? 0 : Big(value).div(target).times(100).round(2).toNumber();

/** A target of 0 is never in alert. */
export function alertStateOf(value: number, target: number): AlertState {
  if (target === 0) return 'none';
  const rate = attainmentRate(value, target);
  if (rate < alertThresholds.underPercent) return 'under';
  return rate > alertThresholds.overPercent ? 'over' : 'none';
}
