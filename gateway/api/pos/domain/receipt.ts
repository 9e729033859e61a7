import type { Patch } from '../../../store/port.ts';
import type { Row } from '../../../store/tables/index.ts';
import type { Change } from '../../../webhooks/outbox/change.ts';
import { paymentReceived, saleCompleted } from '../events.ts';
import type { PaymentView } from '../schemas.ts';
import { paymentView, saleViews } from '../views.ts';
import { dayOf } from './days.ts';
import { exact } from './decimals.ts';

/** Adds a received payment to its locked sale, which completes when its payments reach its total (gap pos.sale-states). */
export async function receivePayment(change: Change, sale: Row<'sales'>, payment: Row<'payments'>): Promise<PaymentView> {
  const { tx, now, emit } = change;
  const settled = sale.status === 'pending' && exact(sale.total).minus(sale.paid).eq(payment.amount);
  const sold_on = dayOf(now);
  const completion: Patch<'sales'> = settled ? { status: 'completed', completed_at: now, sold_on } : {};
  const [paid] = await tx.update('sales', { id: sale.id }, { paid: { add: payment.amount }, ...completion });
  if (!paid) throw new Error(`sale ${sale.id} disappeared while it was locked`);
  if (settled) await tx.update('sale_items', { sale_id: sale.id }, { sold_on });

  const [saleShown] = await saleViews(tx, [paid]);
  if (!saleShown) throw new Error(`sale ${sale.id} cannot be shown`);
  const view = paymentView(payment, paid, saleShown.currency);
  emit(paymentReceived, { subject: sale.store_id, data: { ...view, status: 'received', store_id: sale.store_id } });
  if (settled) emit(saleCompleted, { subject: sale.store_id, data: saleShown });
  return view;
}
