import { invalid } from '../../../base/errors.ts';
import { newId, randomUint32 } from '../../../base/ids.ts';
import { StoreConflict } from '../../../store/port.ts';
import type { Row } from '../../../store/tables/index.ts';
import { saleDefaults } from '../../../store/tables/pos.ts';
import type { Change } from '../../../webhooks/outbox/change.ts';
import { dayOf } from '../domain/days.ts';
import { exact, sumOf, toText } from '../domain/decimals.ts';
import { itemRow } from '../domain/rows.ts';
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
  const { items: lines, total: _, ...asked } = request;
  const amounts = lines.map(({ quantity, price }) => exact(quantity).times(price));
  const [total, sum] = [exact(request.total), sumOf(amounts)];
  if (!sum.eq(total)) {
    throw invalid('total', 'sum_of_lines', `The total is ${toText(request.total)}, but the lines add up to ${sum.toFixed()}.`);
  }
  const completed = request.payment_method !== 'mobile_money' || total.lte(0);
  // Both statements are sent together. If both refuse, the reply names the store.
  const taking = takeFromStock(change, request.store_id, lines);
  taking.catch(() => {});
  const store = await storeFor(tx, caller.account, request.store_id);
  const stock = await taking;

  const totalText = total.toFixed();
  const sale: Row<'sales'> = {
    ...saleDefaults,
    ...asked,
    id: newId('sale'),
    reference: newReference(now),
    account_id: caller.account.id,
    status: completed ? 'completed' : 'pending',
    total: totalText,
    paid: completed ? totalText : '0',
    created_at: now,
    completed_at: completed ? now : null,
    sold_on: completed ? dayOf(now) : null,
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
