import Big from 'big.js';

/**
 * Amounts are exact decimals (gap pos.currency): JSON numbers on the wire, decimal text in the store, `Big` in between.
 * Floating-point sums would give 0.30000000000000004 for 0.1 + 0.2.
 */
export const exact = (value: number | string): Big => new Big(value);

/** Most numbers have the same text in JavaScript. The others have an exponent there. */
export function toText(value: Big | number): string {
  const text = typeof value === 'number' ? String(value) : value.toFixed();
  return /^-?[0-9.]+$/.test(text) ? text : new Big(value).toFixed();
}

export function sumOf(values: readonly (Big | number | string)[]): Big {
  let sum: Big | undefined;
  for (const value of values) sum = sum === undefined ? new Big(value) : sum.plus(value);
  return sum ?? new Big(0);
}
