import type { Big } from 'big.js';
import type { Rows } from '../../../store/port.ts';
import type { Row } from '../../../store/tables/index.ts';
import type { Change } from '../../../webhooks/outbox/change.ts';
import { exact } from './decimals.ts';

/**
 * The mobile-money operators, who ask the payer to confirm a payment. The document shows no states of a payment, so a gateway
 * takes each as confirmed at once. A stub can play operators that take their time (gap pos.payment-states).
 */
export interface MobileMoney {
  /** Returns the status of a new payment. One that is pending ends later, by `endPayment`. */
  charge(payment: Omit<Row<'payments'>, 'status'>, change: Change): 'received' | 'pending';
  /** Returns the sum of a sale's pending payments. */
  awaited(rows: Rows, sale: Row<'sales'>): Promise<Big>;
}

export const confirmedAtOnce: MobileMoney = { charge: () => 'received', awaited: async () => exact(0) };
