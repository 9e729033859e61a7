import { randomInt } from 'node:crypto';
import { type Detail, invalid, Refusal } from '../../../base/errors.ts';
import { newId } from '../../../base/ids.ts';
import type { Row } from '../../../store/tables/index.ts';
import type { Change } from '../../../webhooks/outbox/change.ts';
import { dayOf } from '../domain/days.ts';
import { exact, sumOf, toText } from '../domain/decimals.ts';
import { lockStock, setQuantities } from '../domain/stock.ts';
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
  const store = await storeFor(tx, caller.account, request.store_id);
  const stock = await takeFromStock(change, request);

  const completed = request.payment_method !== 'mobile_money' || total.eq(0);
  const sale = await insertSale(change, {
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
  });
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
  await tx.append('sale_items', items);
  const view = saleView(sale, items, store.currency);
  if (completed) emit(saleCompleted, { subject: store.id, data: view });
  return view;
}

/** Takes the quantities of all lines from the stock, or refuses the sale. Returns the products as they were before, by id. */
async function takeFromStock(change: Change, { store_id, items }: SaleRequest): Promise<Map<string, Row<'stock'>>> {
  const stock = await lockStock(change.tx, store_id, items);
  const asked = Map.groupBy(
    items.map((item, line) => ({ ...item, line })),
    ({ product_id }) => product_id,
  );
  const quantities = new Map<string, string>();
  const missing: Detail[] = [];
  for (const [productId, lines] of asked) {
    const held = stock.get(productId)?.quantity ?? '0';
    const wanted = sumOf(lines.map(({ quantity }) => quantity));
    const left = exact(held).minus(wanted);
    quantities.set(productId, left.toFixed());
    if (left.gte(0)) continue;
    const message = `Store ${store_id} has ${held} of product ${productId}, and this sale asks for ${wanted.toFixed()}.`;
    missing.push({ field: `items.${lines[0]?.line}.quantity`, rule: 'insufficient_stock', message });
  }
  if (missing[0]) throw new Refusal('invalid', 'insufficient_stock', missing[0].message, { details: missing });
  await setQuantities(change, store_id, stock, quantities);
  return stock;
}

/** Crockford's base 32, which has no letter that looks like a digit. */
const referenceAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Returns a reference that people can read aloud, such as `S-20261121-7K3M9Q`. */
function newReference(now: number): string {
  const letters = Array.from({ length: 6 }, () => referenceAlphabet[randomInt(referenceAlphabet.length)]);
  return `S-${dayOf(now).replaceAll('-', '')}-${letters.join('')}`;
}

/** Returns a reference that no sale has. References are short, so a generated one may be taken. */
async function insertSale({ tx, now }: Change, columns: Omit<Row<'sales'>, 'id' | 'reference'>): Promise<Row<'sales'>> {
  const id = newId('sale');
  for (let attempt = 1; attempt <= 20; attempt++) {
    const [sale] = await tx.insert('sales', [{ id, reference: newReference(now), ...columns }], { onConflict: 'ignore' });
    if (sale) return sale;
  }
  throw new Error('All 20 generated sale references were taken already.');
}
