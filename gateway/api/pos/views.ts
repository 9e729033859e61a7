import { toInstant, toInstantOrNull } from '../../http/fields.ts';
import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { exact } from './domain/decimals.ts';
import type { SaleView } from './schemas.ts';

/** A sale as replies and events show it: their schema decides the fields and their order. */
export const saleView = (sale: Row<'sales'>, items: readonly Row<'sale_items'>[], currency: string): SaleView => ({
  ...sale,
  items: items.map((item) => ({
    product_id: item.product_id,
    name: item.name,
    quantity: Number(item.quantity),
    price: Number(item.price),
    amount: Number(item.amount),
  })),
  total: Number(sale.total),
  paid: Number(sale.paid),
  currency,
  created_at: toInstant(sale.created_at),
  completed_at: toInstantOrNull(sale.completed_at),
});

/** Reads the lines and currencies of sales. Returns the views in the order of `sales`. */
export async function saleViews(rows: Rows, sales: readonly Row<'sales'>[]): Promise<SaleView[]> {
  const items = await rows.list('sale_items', {
    where: { sale_id: { in: sales.map(({ id }) => id) } },
    order: [['line', 'asc']],
  });
  const stores = await rows.list('stores', { where: { id: { in: [...new Set(sales.map(({ store_id }) => store_id))] } } });
  const itemsOf = Map.groupBy(items, ({ sale_id }) => sale_id);
  const currencyOf = new Map(stores.map(({ id, currency }) => [id, currency]));
  return sales.map((sale) => saleView(sale, itemsOf.get(sale.id) ?? [], currencyOf.get(sale.store_id) ?? ''));
}

export const paymentView = (payment: Row<'payments'>, sale: Row<'sales'>, currency: string) => ({
  id: payment.id,
  reference: sale.reference,
  amount: Number(payment.amount),
  currency,
  phone: payment.phone,
  provider: payment.provider,
  status: payment.status,
  created_at: toInstant(payment.created_at),
  sale: {
    reference: sale.reference,
    status: sale.status,
    total: Number(sale.total),
    paid: Number(sale.paid),
    remaining: exact(sale.total).minus(sale.paid).toNumber(),
  },
});

export const stockView = (stock: Row<'stock'>) => ({
  product_id: stock.product_id,
  name: stock.name,
  category: stock.category,
  price: Number(stock.price),
  quantity: Number(stock.quantity),
  low_threshold: Number(stock.low_threshold),
  low: isLow(stock),
});

/** Returns true if the quantity is at its threshold or below (section 6, inventory.low). */
export function isLow(stock: Pick<Row<'stock'>, 'quantity' | 'low_threshold'>): boolean {
  const [quantity, threshold] = [Number(stock.quantity), Number(stock.low_threshold)];
  // Rounding to a float keeps the order, so only equal floats need the exact decimals.
  return quantity === threshold ? exact(stock.quantity).lte(stock.low_threshold) : quantity < threshold;
}
