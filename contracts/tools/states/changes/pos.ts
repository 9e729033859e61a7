import { synchronize } from '../../../../gateway/api/pos/back-office/counting.ts';
import { endPayment } from '../../../../gateway/api/pos/back-office/end-payment.ts';
import { createSale } from '../../../../gateway/api/pos/calls/create-sale.ts';
import { payByMobileMoney } from '../../../../gateway/api/pos/calls/pay.ts';
import { exact } from '../../../../gateway/api/pos/domain/decimals.ts';
import type { PosCaller } from '../../../../gateway/api/pos/identity.ts';
import { isLow } from '../../../../gateway/api/pos/views.ts';
import { notFound } from '../../../../gateway/base/errors.ts';
import type { Row } from '../../../../gateway/store/tables/index.ts';
import type { PaymentMethod } from '../../../../gateway/store/tables/pos.ts';
import type { Change } from '../../../../gateway/webhooks/outbox/change.ts';
import { type ChangeParts, type EventChange, noRecord } from './change.ts';

const phone = '+2250700000000';

/** The change that causes each event, and no other event where that is possible. */
export const posChanges: Readonly<Record<string, EventChange>> = {
  async 'sale.completed'(change, storeId, parts) {
    const product = await plentiful(change, storeId);
    const { reference } = await sell(change, parts, { product, quantity: '1', payment_method: 'cash' });
    return `Sale ${reference} was made in ${product.store_id}.`;
  },
  async 'payment.received'(change, reference, parts) {
    const sale = reference === undefined ? await pendingSale(change, parts) : await saleOf(change, reference);
    const [pending] = await change.tx.list('payments', {
      where: { sale_id: sale.id, status: 'pending' },
      order: [['id', 'asc']],
      limit: 1,
    });
    return pending ? receive(change, sale, pending, parts) : pay(change, sale, parts);
  },
  async 'inventory.low'(change, productId, parts) {
    const able = (await stockOf(change, { product_id: productId })).filter((row) => !isLow(row));
    const [product] = able.sort((one, other) => Number(above(one).minus(above(other))));
    if (!product) throw noRecord(`No ${productId === undefined ? 'product' : `product ${productId}`} is above its threshold.`);
    const quantity = above(product).toFixed();
    // Paid by mobile money, so that the sale is not completed.
    const { reference } = await sell(change, parts, { product, quantity, payment_method: 'mobile_money' });
    return `Sale ${reference} took ${quantity} of ${product.product_id} from ${product.store_id}.`;
  },
  async 'sync.completed'(change, storeId) {
    const [store] = await change.tx.list('stores', { where: { id: storeId }, order: [['id', 'asc']], limit: 1 });
    if (!store) throw storeId === undefined ? noRecord('There is no store.') : notFound('on', `There is no store ${storeId}.`);
    await synchronize(change, store.id, []);
    return `Store ${store.id} was synchronized.`;
  },
};

/** The payment that its operator was asked for. */
async function receive(
  change: Change,
  { reference }: Row<'sales'>,
  { id, amount }: Row<'payments'>,
  { paymentEnded }: ChangeParts,
): Promise<string> {
  await endPayment(change, { id, as: 'received' });
  paymentEnded?.(id);
  return `Payment ${id} of ${Number(amount)} for sale ${reference} was received.`;
}

/** Received at once, whatever a stub's rules of mobile money say. */
async function pay(change: Change, sale: Row<'sales'>, { paysAll = false }: ChangeParts): Promise<string> {
  const remaining = exact(sale.total).minus(sale.paid);
  const half = remaining.div(2).round(0, 0);
  const amount = Number(half.gt(0) && !paysAll ? half : remaining);
  const account = (await change.tx.get('accounts', { id: sale.account_id })) as Row<'accounts'>;
  const payment = { amount, phone, provider: 'orange_money', reference: sale.reference } as const;
  await payByMobileMoney(change, callerOf(account), payment);
  return `${amount} of ${Number(remaining)} was paid for sale ${sale.reference}.`;
}

/** How much of a product can be sold until it is low. */
const above = ({ quantity, low_threshold }: Row<'stock'>) => exact(quantity).minus(low_threshold);

const callerOf = (account: Row<'accounts'>): PosCaller => ({ id: `account:${account.id}`, account });

async function stockOf({ tx }: Change, where: { store_id?: string | undefined; product_id?: string | undefined }) {
  const found = await tx.list('stock', { where });
  const [[name, value] = []] = Object.entries(where).filter(([, given]) => given !== undefined);
  if (found.length === 0 && value !== undefined)
    throw notFound('on', `There is no ${name === 'store_id' ? 'store with products' : 'product'} ${value}.`);
  return found;
}

/** The product that is farthest from being low, so that its sale causes no `inventory.low`. */
async function plentiful(change: Change, storeId: string | undefined): Promise<Row<'stock'>> {
  const stock = await stockOf(change, { store_id: storeId });
  const [product] = stock
    .filter(({ quantity }) => exact(quantity).gte(1))
    .sort((one, other) => Number(above(other).minus(above(one))));
  if (product) return product;
  throw noRecord('No product is in stock, so nothing can be sold.');
}

interface ToSell {
  product: Row<'stock'>;
  /** Decimal text. */
  quantity: string;
  payment_method: PaymentMethod;
}

/** Sells in the name of the key's account, or else of another that may use the store. */
async function sell(change: Change, { apiKey }: ChangeParts, { product, quantity, payment_method }: ToSell) {
  const { store_id, product_id, price } = product;
  const able = (await accountsOf(change, apiKey)).filter(({ store_ids }) => store_ids === null || store_ids.includes(store_id));
  const [account] = able;
  if (!account) throw noRecord(`No active account may sell in ${store_id}.`);
  const items = [{ product_id, quantity: Number(quantity), price: Number(price) }];
  const total = Number(exact(quantity).times(price));
  return createSale(change, callerOf(account), { store_id, items, payment_method, customer_phone: phone, total });
}

/** The active accounts, first that of the key. */
async function accountsOf({ tx }: Change, apiKey = ''): Promise<Row<'accounts'>[]> {
  const shown = (await tx.get('api_keys', { id: apiKey }))?.account_id;
  const accounts = await tx.list('accounts', { where: { active: true }, order: [['id', 'asc']] });
  return [...accounts.filter(({ id }) => id === shown), ...accounts.filter(({ id }) => id !== shown)];
}

/** A sale of the key's account that waits for its payment. If there is none, one is made. */
async function pendingSale(change: Change, parts: ChangeParts): Promise<Row<'sales'>> {
  const [account] = await accountsOf(change, parts.apiKey);
  const where = { status: 'pending', account_id: account?.id ?? '' } as const;
  const [pending] = await change.tx.list('sales', { where, order: [['id', 'asc']], limit: 1 });
  if (pending) return pending;
  const product = await plentiful(change, undefined);
  const { id } = await sell(change, parts, { product, quantity: '1', payment_method: 'mobile_money' });
  return saleOf(change, id);
}

async function saleOf({ tx }: Change, reference: string): Promise<Row<'sales'>> {
  const sale = await tx.get('sales', reference.startsWith('sale_') ? { id: reference } : { reference });
  if (sale) return sale;
  throw notFound('on', `There is no sale ${reference}.`);
}
