import Big from 'big.js';

/**
 * Amounts are exact decimals (gap pos.currency): JSON numbers on the wire, decimal text in the store, `Big` in between.
 * Floating-point sums would give 0.30000000000000004 for 0.1 + 0.2.
 */
export const exact = (value: number | string): Big => new Big(value);
export const toText = (value: Big | number): string => (Number.isSafeInteger(value) ? String(value) : new Big(value).toFixed());
export const sumOf = (values: readonly (Big | number | string)[]): Big =>
  values.reduce<Big>((sum, value) => sum.plus(value), new Big(0));
