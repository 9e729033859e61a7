import { posAccounts, posStores } from '../../../fixtures/pos.ts';
import { type FixtureSale, posProducts, posSales } from '../../../fixtures/pos-sales.ts';
import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { saleDefaults } from '../../store/tables/pos.ts';
import { dayMs, dayOf } from './domain/days.ts';
import { toText } from './domain/decimals.ts';
import { itemRow } from './domain/rows.ts';

/** Fills an empty store with the demo data. Emits no events: all of it happened before any endpoint existed. */
export async function seedPos(tx: Rows, now: number): Promise<void> {
  const openedAt = now - 90 * dayMs;
  await tx.append(
    'accounts',
    posAccounts.map((account) => ({ ...account, store_ids: null, active: true, created_at: openedAt })),
  );
  await tx.append(
    'stores',
    posStores.map((store) => ({ ...store, created_at: openedAt, synchronized_at: now - dayMs })),
  );
  await tx.append(
    'stock',
    posProducts().map(({ price, quantity, low_threshold, ...product }) => ({
      ...product,
      price: toText(price),
      quantity: toText(quantity),
      low_threshold: toText(low_threshold),
      updated_at: now - dayMs,
    })),
  );
  const sales = posSales(now);
  await tx.append('sales', sales.map(saleRow));
  await tx.append('sale_items', sales.flatMap(itemRows));
  await tx.append('payments', sales.flatMap(paymentRows));
}

function saleRow({ items: _, payments, total, ...sale }: FixtureSale): Row<'sales'> {
  const { completed_at, payment_method } = sale;
  return {
    ...saleDefaults,
    ...sale,
    status: completed_at === null ? 'pending' : 'completed',
    total: toText(total),
    paid: toText(payment_method === 'mobile_money' ? payments.reduce((sum, { amount }) => sum + amount, 0) : total),
    sold_on: completed_at === null ? null : dayOf(completed_at),
  };
}

function itemRows(sale: FixtureSale): Row<'sale_items'>[] {
  const row = saleRow(sale);
  return sale.items.map((item, line) => itemRow(row, line, { ...item, amount: toText(item.quantity * item.price) }));
}

const paymentRows = ({ id: sale_id, account_id, payments }: FixtureSale): Row<'payments'>[] =>
  payments.map(({ amount, ...payment }) => ({ ...payment, sale_id, account_id, amount: toText(amount), status: 'received' }));
