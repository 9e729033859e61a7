import type { Big } from 'big.js';
import { invalid } from '../../../base/errors.ts';
import { newId, randomUint32 } from '../../../base/ids.ts';
import { StoreConflict } from '../../../store/port.ts';
import type { Row } from '../../../store/tables/index.ts';
import { saleDefaults } from '../../../store/tables/pos.ts';
import type { Change } from '../../../webhooks/outbox/change.ts';
import { dayOf } from '../domain/days.ts';
import { exact, sumOf, toText } from '../domain/decimals.ts';
import { itemRow } from '../domain/rows.ts';
import { lockStock, takeFromStock } from '../domain/stock.ts';
import { storeFor } from '../domain/stores.ts';
import { saleCompleted } from '../events.ts';
import type { PosCaller } from '../identity.ts';
import { type PosPolicy, registeredPolicy } from '../policy.ts';
import type { SaleRequest, SaleView } from '../schemas.ts';
import { saleView } from '../views.ts';

/**
 * Stores a sale. The stock moves at once, also when a mobile-money payment is still to come (gap pos.stock-at-creation).
 * A sale by cash or card, or with a total of 0, is completed at once; other mobile-money sales wait for their payments.
 */
export async function createSale(
  change: Change,
  caller: PosCaller,
  request: SaleRequest,
  policy: PosPolicy = registeredPolicy,
): Promise<SaleView> {
  const { tx, now, emit } = change;
  const lines = policy.soldLines(request.items);
  const amounts = lines.map(({ quantity, price }) => exact(quantity).times(price));
  const [total, sum] = [exact(request.total), sumOf(amounts)];
  if (!allowsTotal[policy.saleTotal](total, sum)) {
    throw invalid('total', 'sum_of_lines', `The total is ${toText(request.total)}, but the lines add up to ${sum.toFixed()}.`);
  }
  const paid = policy.paidAtOnce.includes(request.payment_method) || total.lte(0);
  const completed = paid || policy.saleStates === 'completed-at-once';
  // Both statements are sent together. If both refuse, the reply names the store.
  const takesNow = completed || policy.stockAtCreation !== 'at-completion';
  const taking = takesNow ? takeFromStock(change, request.store_id, lines, policy) : lockStock(tx, request.store_id, lines);
  taking.catch(() => {});
  const store = await storeFor(tx, caller.account, request.store_id, policy);
  const stock = await taking;
  if (policy.repeatedPost === 'refused') await refuseRepeated(change, caller, request);
  if (policy.linePrices === 'of-catalogue') refuseOtherPrices(lines, stock);

  const totalText = total.toFixed();
  const { items: _, total: __, ...asked } = request;
  const sale: Row<'sales'> = {
    ...saleDefaults,
    ...asked,
    id: newId('sale') + policy.idSuffix,
    reference: newReference(now) + policy.idSuffix,
    account_id: caller.account.id,
    status: completed ? 'completed' : 'pending',
    total: totalText,
    paid: paid ? totalText : '0',
    created_at: now,
    completed_at: completed ? now : null,
    sold_on: completed || policy.countedFrom === 'creation' ? policy.dayOf(now) : null,
  };
  const items = lines.map(({ product_id, quantity, price }, line) => {
    const name = stock.get(product_id)?.name ?? '';
    return itemRow(sale, line, { product_id, name, quantity, price, amount: amounts[line]?.toFixed() ?? '0' });
  });
  change.append('sale_items', items, { table: 'sales', rows: [sale] });
  const view = saleView(sale, items, store.currency);
  if (completed) emit(saleCompleted, { subject: store.id, data: view });
  return view;
}

/** Whether a sale may have this total, its lines adding up to `sum` (gap pos.sale-total). */
const allowsTotal: Readonly<Record<PosPolicy['saleTotal'], (total: Big, sum: Big) => boolean>> = {
  exact: (total, sum) => sum.eq(total),
  discount: (total, sum) => sum.gte(total),
  trusted: () => true,
};

/** Only a stub may be told to refuse a sale of the same store, lines, method, telephone and total. */
async function refuseRepeated({ tx, now }: Change, { account }: PosCaller, request: SaleRequest): Promise<void> {
  const { store_id, payment_method, customer_phone = null, items } = request;
  const where = { account_id: account.id, store_id, payment_method, customer_phone, created_at: { gt: now - 60_000 } };
  const alike = (await tx.list('sales', { where })).filter(({ total }) => exact(total).eq(request.total));
  const ofAlike = { sale_id: { in: alike.map(({ id }) => id) } };
  const held = await tx.list('sale_items', { where: ofAlike, order: [['line', 'asc']] });
  const textOf = (lines: readonly { product_id: string; quantity: number | string; price: number | string }[]) =>
    JSON.stringify(lines.map(({ product_id, quantity, price }) => [product_id, Number(quantity), Number(price)]));
  const same = alike.find(({ id }) => textOf(held.filter(({ sale_id }) => sale_id === id)) === textOf(items));
  if (same)
    throw invalid('items', 'repeated', `The lines equal those of sale ${same.reference}, which is less than a minute old.`);
}

function refuseOtherPrices(items: SaleRequest['items'], stock: ReadonlyMap<string, Row<'stock'>>): void {
  items.forEach(({ product_id, price }, line) => {
    const known = Number(stock.get(product_id)?.price);
    if (price === known) return;
    const message = `The price is ${price}, but that of product ${product_id} in the catalogue is ${known}.`;
    throw invalid(`items.${line}.price`, 'catalogue_price', message);
  });
}

/** Crockford's base 32, which has no letter that looks like a digit. A letter takes 5 of a number's 32 random bits. */
const referenceAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const referenceLetters = 6;

/** Returns a reference that people can read aloud, such as `S-20261121-7K3M9Q`. */
function newReference(now: number): string {
  const random = randomUint32();
  let letters = '';
  for (let at = 0; at < referenceLetters; at++) letters += referenceAlphabet[(random >>> (5 * at)) & 31];
  return `S-${dayOf(now).replaceAll('-', '')}-${letters}`;
}

/**
 * Runs a change that creates a sale. References are short, so one may be taken already. Then the statement and the whole change
 * fail, and the change runs again.
 */
export async function untilReferenceIsFree<R>(run: () => Promise<R>): Promise<R> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof StoreConflict) || attempt === 20) throw error;
    }
  }
}
