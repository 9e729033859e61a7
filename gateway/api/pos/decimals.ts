import Big from 'big.js';

/**
 * Amounts are exact decimals: JSON numbers on the wire, decimal text in the store, `Big` in between, so that
 * 0.1 + 0.2 is 0.3 (gap pos.currency).
 */
export const exact = (value: number | string): Big => new Big(value);
export const toText = (value: Big | number): string => (Number.isSafeInteger(value) ? String(value) : new Big(value).toFixed());
export const sumOf = (values: readonly (Big | number | string)[]): Big =>
  values.reduce<Big>((sum, value) => sum.plus(value), new Big(0));
