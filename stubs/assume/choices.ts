import type { MobileMoneyRule } from '../payments/rule.ts';
import type { Assumptions } from './assumptions.ts';

/** What happens to a payment that no rule of the stub takes. Half a minute is time for a test to look at it. */
export const assumedPayment = (assumptions: Assumptions) => (): MobileMoneyRule | undefined =>
  assumptions.live?.isActive('pos.payment-states=pending') ? { status: 'pending', forMs: 30_000, end: 'received' } : undefined;
