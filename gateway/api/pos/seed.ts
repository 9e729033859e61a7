import { posAccounts, posStores } from '../../../fixtures/pos.ts';
import { type FixtureSale, posProducts, posSales } from '../../../fixtures/pos-sales.ts';
import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
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
    posProducts().map(({ storeId, productId, name, category, price, quantity, lowThreshold }) => ({
      store_id: storeId,
      product_id: productId,
      name,
      category,
      price: toText(price),
      quantity: toText(quantity),
      low_threshold: toText(lowThreshold),
      updated_at: now - dayMs,
    })),
  );
  const sales = posSales(now);
  await tx.append('sales', sales.map(saleRow));
  await tx.append('sale_items', sales.flatMap(itemRows));
  await tx.append('payments', sales.flatMap(paymentRows));
}

const saleRow = (sale: FixtureSale): Row<'sales'> => ({
  id: sale.id,
  reference: sale.reference,
  account_id: sale.accountId,
  store_id: sale.storeId,
  status: sale.completedAt === null ? 'pending' : 'completed',
  payment_method: sale.paymentMethod,
  customer_phone: sale.phone,
  total: toText(sale.total),
  paid: toText(sale.paymentMethod === 'mobile_money' ? sale.payments.reduce((sum, { amount }) => sum + amount, 0) : sale.total),
  created_at: sale.createdAt,
  completed_at: sale.completedAt,
  sold_on: sale.completedAt === null ? null : dayOf(sale.completedAt),
});

function itemRows(sale: FixtureSale) {
  const row = saleRow(sale);
  return sale.items.map(({ productId: product_id, name, quantity, price }, line) =>
    itemRow(row, line, { product_id, name, quantity, price, amount: toText(quantity * price) }),
  );
}

const paymentRows = (sale: FixtureSale): Row<'payments'>[] =>
  sale.payments.map(({ id, at, amount, phone, provider }) => ({
    id,
    sale_id: sale.id,
    account_id: sale.accountId,
    amount: toText(amount),
    phone,
    provider,
    status: 'received',
    created_at: at,
  }));
