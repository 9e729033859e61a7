import { type PosChoices, registeredChoices } from '../../gateway/api/pos/domain/choices.ts';
import type { MobileMoneyRule } from '../payments/rule.ts';
import type { Assumptions } from './assumptions.ts';

/** The gap whose alternatives each choice of the verbs takes by their ids. */
const gapOf: Readonly<Record<Exclude<keyof PosChoices, 'idSuffix' | 'saleStates' | 'refusedPayments'>, string>> = {
  saleTotal: 'pos.sale-total',
  insufficientStock: 'pos.insufficient-stock',
  stockAtCreation: 'pos.stock-at-creation',
  inventoryLowCondition: 'pos.inventory-low-condition',
  tokenLifetime: 'pos.token-lifetime',
};

/** The choices of the verbs under the active alternatives, looked up at each use. */
export function posChoices(assumptions: Assumptions): PosChoices {
  const isActive = (assumed: string) => assumptions.live?.isActive(assumed) ?? false;
  const others: { [name in Exclude<keyof PosChoices, keyof typeof gapOf>]: () => PosChoices[name] } = {
    idSuffix: () => assumptions.live?.harmless?.idSuffix ?? '',
    saleStates: () => (isActive('pos.sale-states=completed-at-once') ? 'completed-at-once' : 'until-paid'),
    refusedPayments: () => (isActive('pos.sale-states=further') ? 'sale-fails' : 'sale-waits'),
  };
  const choices = { ...registeredChoices };
  for (const [name, get] of Object.entries(others)) Object.defineProperty(choices, name, { get });
  for (const [name, gap] of Object.entries(gapOf) as [keyof typeof gapOf, string][])
    Object.defineProperty(choices, name, { get: () => assumptions.live?.alternativeOf(gap) ?? registeredChoices[name] });
  return choices;
}

/** What happens to a payment that no rule of the stub takes. Half a minute is time for a test to look at it. */
export const assumedPayment = (assumptions: Assumptions) => (): MobileMoneyRule | undefined =>
  assumptions.live?.isActive('pos.payment-states=pending') ? { status: 'pending', forMs: 30_000, end: 'received' } : undefined;
