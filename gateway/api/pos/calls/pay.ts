import { invalid, notFound } from '../../../base/errors.ts';
import { newId } from '../../../base/ids.ts';
import type { Patch } from '../../../store/port.ts';
import type { Row } from '../../../store/tables/index.ts';
import type { Change } from '../../../webhooks/outbox/change.ts';
import { dayOf } from '../domain/days.ts';
import { exact, toText } from '../domain/decimals.ts';
import { paymentReceived, saleCompleted } from '../events.ts';
import type { PosCaller } from '../identity.ts';
import type { PaymentRequest, PaymentView } from '../schemas.ts';
import { paymentView, saleViews } from '../views.ts';

/** Takes a mobile-money payment for a sale. The sale completes when its payments reach its total (gap pos.sale-states). */
export async function payByMobileMoney(change: Change, caller: PosCaller, request: PaymentRequest): Promise<PaymentView> {
  const { tx, now, emit } = change;
  const sale = await lockSale(change, caller, request.reference);
  const remaining = exact(sale.total).minus(sale.paid);
  refuseUnpayable(sale, request, remaining.toFixed());

  const row: Row<'payments'> = {
    id: newId('pay'),
    sale_id: sale.id,
    account_id: caller.account.id,
    amount: toText(request.amount),
    phone: request.phone,
    provider: request.provider,
    status: 'received',
    created_at: now,
  };
  await tx.append('payments', [row]);
  const settled = remaining.eq(request.amount);
  const completion: Patch<'sales'> = settled ? { status: 'completed', completed_at: now, sold_on: dayOf(now) } : {};
  const [paid] = await tx.update('sales', { id: sale.id }, { paid: { add: row.amount }, ...completion });
  if (!paid) throw new Error(`sale ${sale.id} disappeared while it was locked`);
  if (settled) await tx.update('sale_items', { sale_id: sale.id }, { sold_on: dayOf(now) });

  const [saleShown] = await saleViews(tx, [paid]);
  if (!saleShown) throw new Error(`sale ${sale.id} cannot be shown`);
  const view = paymentView(row, paid, saleShown.currency);
  emit(paymentReceived, { subject: sale.store_id, data: { ...view, store_id: sale.store_id } });
  if (settled) emit(saleCompleted, { subject: sale.store_id, data: saleShown });
  return view;
}

async function lockSale({ tx }: Change, { account }: PosCaller, reference: string): Promise<Row<'sales'>> {
  const where = reference.startsWith('sale_') ? { id: reference } : { reference };
  const sale = await tx.get('sales', where, { lock: true });
  if (sale?.account_id === account.id) return sale;
  throw notFound('reference', `There is no sale with the reference ${JSON.stringify(reference)} of account ${account.id}.`);
}

function refuseUnpayable(sale: Row<'sales'>, { amount }: PaymentRequest, remaining: string): void {
  if (sale.payment_method !== 'mobile_money') {
    throw invalid(
      'reference',
      'not_mobile_money',
      `Sale ${sale.reference} is paid by ${sale.payment_method}, not by mobile money.`,
    );
  }
  if (sale.status !== 'pending') {
    throw invalid('reference', 'already_paid', `Sale ${sale.reference} is ${sale.status}: 0 remains to be paid.`);
  }
  if (exact(amount).lte(remaining)) return;
  const message = `The amount is ${toText(amount)}, but only ${remaining} remains to be paid for sale ${sale.reference}.`;
  throw invalid('amount', 'amount_over_remaining', message);
}
