import { notFound, Refusal } from '../../../base/errors.ts';
import type { PaymentEnd } from '../../../store/tables/pos.ts';
import type { Change } from '../../../webhooks/outbox/change.ts';
import { receivePayment } from '../domain/receipt.ts';

/**
 * Ends a pending payment, as its mobile-money operator says. Only a received payment changes its sale and causes an event: for
 * the other ends, the document shows no event (gap pos.payment-states). Throws `not_found`, or `conflict` if it is not pending.
 */
export async function endPayment(change: Change, { id, as }: { id: string; as: PaymentEnd }): Promise<void> {
  const { tx } = change;
  const payment = await tx.get('payments', { id }, { lock: true });
  if (!payment) throw notFound('id', `There is no payment ${id}.`);
  if (payment.status !== 'pending')
    throw new Refusal('conflict', 'not_pending', `Payment ${id} is ${payment.status}. Only a pending payment can be settled.`);
  const [ended] = await tx.update('payments', { id }, { status: as });
  if (!ended || as !== 'received') return;
  const sale = await tx.get('sales', { id: payment.sale_id }, { lock: true });
  if (sale) await receivePayment(change, sale, ended);
}
