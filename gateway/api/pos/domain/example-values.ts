import type { Rows } from '../../../store/port.ts';

interface Bounds {
  accountId: string;
  /** The stores that the account may use; null means all of them. */
  storeIds: readonly string[] | null;
}

/** The number of rows that are read to find one that suits an example. */
const fewRows = 20;
const enoughStock = 10;

/** Values of one account's own rows, by field name, so that example requests work as they are. Those without a row are undefined. */
export async function exampleValues(rows: Rows, { accountId, storeIds }: Bounds) {
  const where = storeIds === null ? {} : { store_id: { in: [...storeIds] } };
  const products = await rows.list('stock', { where, limit: fewRows });
  const product = products.find(({ quantity }) => Number(quantity) >= enoughStock) ?? products[0];
  const sale = await payableSale(rows, accountId);
  return {
    store_id: product?.store_id ?? storeIds?.[0],
    product_id: product?.product_id,
    reference: sale?.reference,
    amount: sale && Number(sale.total) - Number(sale.paid),
  };
}

/** The account's newest sale that can be paid in full: a pending payment is counted already. */
async function payableSale(rows: Rows, accountId: string) {
  const sales = await rows.list('sales', {
    where: { account_id: accountId, status: 'pending' },
    order: [['id', 'desc']],
    limit: fewRows,
  });
  const ids = sales.map(({ id }) => id);
  const awaited = await rows.list('payments', { where: { sale_id: { in: ids }, status: 'pending' } });
  return sales.find(({ id }) => !awaited.some(({ sale_id }) => sale_id === id));
}
