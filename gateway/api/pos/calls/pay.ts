import type { Big } from 'big.js';
import { invalid, notFound } from '../../../base/errors.ts';
import { newId } from '../../../base/ids.ts';
import type { Row } from '../../../store/tables/index.ts';
import type { Change } from '../../../webhooks/outbox/change.ts';
import { exact, toText } from '../domain/decimals.ts';
import { confirmedAtOnce, type MobileMoney } from '../domain/mobile-money.ts';
import { receivePayment } from '../domain/receipt.ts';
import type { PosCaller } from '../identity.ts';
import type { PaymentRequest, PaymentView } from '../schemas.ts';
import { paymentView } from '../views.ts';

/**
 * Takes a mobile-money payment for a sale, which completes when its payments reach its total (gap pos.sale-states). A payment
 * that is pending changes nothing yet, but counts for what remains to be paid.
 */
export async function payByMobileMoney(
  change: Change,
  caller: PosCaller,
  request: PaymentRequest,
  mobileMoney: MobileMoney = confirmedAtOnce,
): Promise<PaymentView> {
  const { tx, now } = change;
  const sale = await lockSale(change, caller, request);
  refuseUnpayable(sale, request, await mobileMoney.awaited(tx, sale));

  const charged = {
    id: newId('pay'),
    sale_id: sale.id,
    account_id: caller.account.id,
    amount: toText(request.amount),
    phone: request.phone,
    provider: request.provider,
    created_at: now,
  };
  const row: Row<'payments'> = { ...charged, status: mobileMoney.charge(charged, change) };
  await tx.append('payments', [row]);
  if (row.status === 'received') return receivePayment(change, sale, row);
  const store = await tx.get('stores', { id: sale.store_id });
  return paymentView(row, sale, store?.currency ?? '');
}

/** Returns the sale that a payment is for. */
async function lockSale({ tx }: Change, { account }: PosCaller, { reference }: PaymentRequest): Promise<Row<'sales'>> {
  const where = reference.startsWith('sale_') ? { id: reference } : { reference };
  const sale = await tx.get('sales', where, { lock: true });
  if (sale?.account_id === account.id) return sale;
  throw notFound('reference', `There is no sale with the reference ${JSON.stringify(reference)} of account ${account.id}.`);
}

/** Throws a refusal if the sale cannot be paid with this amount. */
function refuseUnpayable(sale: Row<'sales'>, { amount }: PaymentRequest, awaited: Big): void {
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
  const remaining = exact(sale.total).minus(sale.paid).minus(awaited);
  if (remaining.gte(amount)) return;
  const message = `The amount is ${toText(amount)}, but only ${remaining.toFixed()} remains to be paid for sale ${sale.reference}.`;
  const pending = awaited.gt(0) ? ` ${awaited.toFixed()} is awaited from pending payments.` : '';
  throw invalid('amount', 'amount_over_remaining', message + pending);
}
