import { notFound, Refusal } from '../../../base/errors.ts';
import type { Row } from '../../../store/tables/index.ts';
import type { PaymentEnd } from '../../../store/tables/pos.ts';
import type { Change } from '../../../webhooks/outbox/change.ts';
import { failedPayments, receivePayment, receiveWithoutSale } from '../domain/receipt.ts';
import { type PosPolicy, registeredPolicy } from '../policy.ts';

/**
 * Ends a pending payment, as its mobile-money operator says. Only a received payment changes its sale and causes an event: for
 * the other ends, the document shows no event (gap pos.payment-states). Throws `not_found`, or `conflict` if it is not pending.
 */
export async function endPayment(
  change: Change,
  { id, as }: { id: string; as: PaymentEnd },
  policy: PosPolicy = registeredPolicy,
): Promise<void> {
  const { tx } = change;
  const payment = await tx.get('payments', { id }, { lock: true });
  if (!payment) throw notFound('id', `There is no payment ${id}.`);
  if (payment.status !== 'pending')
    throw new Refusal('conflict', 'not_pending', `Payment ${id} is ${payment.status}. Only a pending payment can be settled.`);
  const [ended] = await tx.update('payments', { id }, { status: as });
  if (!ended) return;
  const sale = await tx.get('sales', { id: payment.sale_id }, { lock: true });
  if (as !== 'received') return policy.refusedPayments === 'sale-fails' && sale ? failSale(change, sale, policy) : undefined;
  if (sale) await receivePayment(change, sale, ended, policy);
  else receiveWithoutSale(change, ended);
}

/** A sale fails with the first of its payments that fails. If it has taken its goods, they go back into stock. */
async function failSale({ tx, now }: Change, sale: Row<'sales'>, policy: PosPolicy): Promise<void> {
  if (sale.status !== 'pending' || policy.stockAtCreation === 'at-completion') return;
  if ((await failedPayments(tx, sale.id)) > 1) return;
  const items = await tx.list('sale_items', { where: { sale_id: sale.id }, order: [['product_id', 'asc']] });
  for (const { store_id, product_id, quantity } of items)
    await tx.update('stock', { store_id, product_id }, { quantity: { add: quantity }, updated_at: now });
}
