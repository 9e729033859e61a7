import type Big from 'big.js';
import { type Detail, Refusal } from '../../../base/errors.ts';
import type { Rows } from '../../../store/port.ts';
import type { Row } from '../../../store/tables/index.ts';
import type { Change } from '../../../webhooks/outbox/change.ts';
import { inventoryLow } from '../events.ts';
import { isLow } from '../views.ts';
import { exact } from './decimals.ts';

/**
 * Locks the rows of these products until the transaction ends, always in the same order, so that two sales cannot
 * deadlock. Refuses products the store does not have and names the line of each.
 */
export async function lockStock(
  rows: Rows,
  storeId: string,
  items: readonly { product_id: string }[],
): Promise<Map<string, Row<'stock'>>> {
  const ids = [...new Set(items.map(({ product_id }) => product_id))];
  const stock = await rows.list('stock', {
    where: { store_id: storeId, product_id: { in: ids } },
    order: [['product_id', 'asc']],
    lock: true,
  });
  return byProduct(storeId, items, stock);
}

/** Returns the rows by product id. Refuses products without a row and names the line of each. */
function byProduct(
  storeId: string,
  items: readonly { product_id: string }[],
  rows: readonly Row<'stock'>[],
): Map<string, Row<'stock'>> {
  const stock = new Map<string, Row<'stock'>>();
  for (const row of rows) stock.set(row.product_id, row);
  const unknown: Detail[] = [];
  items.forEach(({ product_id }, line) => {
    if (stock.has(product_id)) return;
    const message = `Store ${storeId} has no product ${JSON.stringify(product_id)}.`;
    unknown.push({ field: `items.${line}.product_id`, rule: 'not_found', message });
  });
  if (unknown[0]) throw new Refusal('not_found', 'not_found', unknown[0].message, { details: unknown });
  return stock;
}

/**
 * Takes quantities from the stock, or refuses all of them, and emits `inventory.low` for each product that fell to its threshold.
 * Returns the products as they are now, by id. The statement that locks a row changes it too, so that sales of one product
 * wait for each other as briefly as possible; rows are locked in the order of their ids, as in `lockStock`.
 */
export async function takeFromStock(
  { tx, now, emit }: Change,
  storeId: string,
  items: readonly { product_id: string; quantity: number }[],
): Promise<Map<string, Row<'stock'>>> {
  const wanted = new Map<string, { quantity: Big; line: number }>();
  items.forEach(({ product_id, quantity }, line) => {
    const before = wanted.get(product_id);
    if (before) before.quantity = before.quantity.plus(quantity);
    else wanted.set(product_id, { quantity: exact(quantity), line });
  });
  const updates = [...wanted.keys()].sort().map((product_id) => {
    const add = `-${wanted.get(product_id)?.quantity.toFixed() ?? 0}`;
    return tx.update('stock', { store_id: storeId, product_id }, { quantity: { add }, updated_at: now });
  });
  const [only] = updates;
  const updated = updates.length === 1 && only ? await only : (await Promise.all(updates)).flat();
  const stock = byProduct(storeId, items, updated);
  const missing: Detail[] = [];
  for (const [id, { quantity, line }] of wanted) {
    const left = stock.get(id)?.quantity ?? '0';
    // Rounding to a float keeps the sign.
    if (Number(left) >= 0) continue;
    const held = exact(left).plus(quantity).toFixed();
    const message = `Store ${storeId} has ${held} of product ${id}, and this sale asks for ${quantity.toFixed()}.`;
    missing.push({ field: `items.${line}.quantity`, rule: 'insufficient_stock', message });
  }
  if (missing[0]) throw new Refusal('invalid', 'insufficient_stock', missing[0].message, { details: missing });
  for (const after of updated) {
    if (!isLow(after)) continue;
    const before = exact(after.quantity).plus(wanted.get(after.product_id)?.quantity ?? 0);
    emitIfFallen(emit, { ...after, quantity: before.toFixed() }, after);
  }
  return stock;
}

/**
 * Sets the quantities of products (decimal text, by product id) and emits `inventory.low` for each that fell to its
 * threshold. Products with the same new quantity share a statement. Returns the changed rows in the order of their ids.
 */
export async function setQuantities(
  { tx, now, emit }: Change,
  storeId: string,
  before: ReadonlyMap<string, Row<'stock'>>,
  quantities: ReadonlyMap<string, string>,
): Promise<Row<'stock'>[]> {
  const moved = [...quantities].filter(([id, quantity]) => before.get(id)?.quantity !== quantity);
  const after: Row<'stock'>[] = [];
  for (const [quantity, group] of Map.groupBy(moved, ([, quantity]) => quantity)) {
    const where = { store_id: storeId, product_id: { in: group.map(([id]) => id) } };
    after.push(...(await tx.update('stock', where, { quantity, updated_at: now })));
  }
  after.sort((a, b) => (a.product_id < b.product_id ? -1 : 1));
  for (const row of after) emitIfFallen(emit, before.get(row.product_id), row);
  return after;
}

/** A product that was low already is not announced again (gap pos.inventory-low-condition). */
function emitIfFallen(emit: Change['emit'], before: Row<'stock'> | undefined, after: Row<'stock'>): void {
  if (!before || isLow(before) || !isLow(after)) return;
  const { store_id, product_id, name, quantity, low_threshold } = after;
  const data = { store_id, product_id, name, quantity: Number(quantity), low_threshold: Number(low_threshold) };
  emit(inventoryLow, { subject: store_id, data });
}
