import { randomInt } from 'node:crypto';
import { invalid } from '../../../base/errors.ts';
import { newId } from '../../../base/ids.ts';
import { StoreConflict } from '../../../store/port.ts';
import type { Row } from '../../../store/tables/index.ts';
import type { Change } from '../../../webhooks/outbox/change.ts';
import { dayOf } from '../domain/days.ts';
import { exact, sumOf, toText } from '../domain/decimals.ts';
import { takeFromStock } from '../domain/stock.ts';
import { storeFor } from '../domain/stores.ts';
import { saleCompleted } from '../events.ts';
import type { PosCaller } from '../identity.ts';
import type { SaleRequest, SaleView } from '../schemas.ts';
import { saleView } from '../views.ts';

/**
 * Stores a sale. The stock moves at once, also when a mobile-money payment is still to come (gap pos.stock-at-creation).
 * A sale by cash or card, or with a total of 0, is completed at once; other mobile-money sales wait for their payments.
 */
export async function createSale(change: Change, caller: PosCaller, request: SaleRequest): Promise<SaleView> {
  const { tx, now, emit } = change;
  const amounts = request.items.map(({ quantity, price }) => exact(quantity).times(price));
  const total = sumOf(amounts);
  if (!total.eq(request.total)) {
    throw invalid('total', 'sum_of_lines', `The total is ${toText(request.total)}, but the lines add up to ${total.toFixed()}.`);
  }
  // Both statements are sent together. What is refused is the store, if both are.
  const taking = takeFromStock(change, request.store_id, request.items);
  taking.catch(() => {});
  const store = await storeFor(tx, caller.account, request.store_id);
  const stock = await taking;

  const completed = request.payment_method !== 'mobile_money' || total.eq(0);
  const sale: Row<'sales'> = {
    id: newId('sale'),
    reference: newReference(now),
    account_id: caller.account.id,
    store_id: store.id,
    status: completed ? 'completed' : 'pending',
    payment_method: request.payment_method,
    customer_phone: request.customer_phone ?? null,
    total: total.toFixed(),
    paid: completed ? total.toFixed() : '0',
    created_at: now,
    completed_at: completed ? now : null,
    sold_on: completed ? dayOf(now) : null,
  };
  const items = request.items.map((item, line) => ({
    sale_id: sale.id,
    line,
    store_id: store.id,
    product_id: item.product_id,
    name: stock.get(item.product_id)?.name ?? '',
    quantity: toText(item.quantity),
    price: toText(item.price),
    amount: amounts[line]?.toFixed() ?? '0',
    sold_on: sale.sold_on,
  }));
  change.append('sale_items', items, { table: 'sales', rows: [sale] });
  const view = saleView(sale, items, store.currency);
  if (completed) emit(saleCompleted, { subject: store.id, data: view });
  return view;
}

/** Crockford's base 32, which has no letter that looks like a digit. */
const referenceAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Returns a reference that people can read aloud, such as `S-20261121-7K3M9Q`. */
function newReference(now: number): string {
  const letters = Array.from({ length: 6 }, () => referenceAlphabet[randomInt(referenceAlphabet.length)]);
  return `S-${dayOf(now).replaceAll('-', '')}-${letters.join('')}`;
}

/**
 * Runs a change that creates a sale, and again if its reference is taken: references are short. The statement fails then,
 * and with it the whole change.
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
