import Big from 'big.js';

/** An indicator is in alert below or above these percentages of its annual target (gap cohesion.indicator-alert-condition). */
export const alertThresholds = { underPercent: 50, overPercent: 120 } as const;

export const alertStates = ['none', 'under', 'over'] as const;
export type AlertState = (typeof alertStates)[number];

/** Current value as a percentage of the annual target, two decimals; 0 where there is no target. */
export function attainmentRate(value: number, target: number): number {
  return target === 0 ? 0 : Big(value).div(target).times(100).round(2).toNumber();
}

/** Without a target nothing can be under or over it. */
export function alertStateOf(value: number, target: number): AlertState {
  if (target === 0) return 'none';
  const rate = attainmentRate(value, target);
  if (rate < alertThresholds.underPercent) return 'under';
  return rate > alertThresholds.overPercent ? 'over' : 'none';
}
