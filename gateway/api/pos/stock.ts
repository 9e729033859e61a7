import { type Detail, Refusal } from '../../base/errors.ts';
import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import type { Change } from '../../webhooks/outbox/change.ts';
import { inventoryLow } from './events.ts';
import { isLow } from './views.ts';

/**
 * Holds the rows of these products until the transaction ends, in one order for everyone, so that no two wait for each
 * other. Refuses products that the store does not have, naming the line of each.
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
  const held = new Map(stock.map((row) => [row.product_id, row]));
  const unknown = items.flatMap(({ product_id }, line): Detail[] => {
    if (held.has(product_id)) return [];
    const message = `Store ${storeId} has no product ${JSON.stringify(product_id)}.`;
    return [{ field: `items.${line}.product_id`, rule: 'not_found', message }];
  });
  if (unknown[0]) throw new Refusal('not_found', 'not_found', unknown[0].message, { details: unknown });
  return held;
}

/**
 * Gives products their new quantities (decimal text, by product id) and announces each that fell to its threshold.
 * One statement for all products that get the same quantity. Returns the rows as they are now, by product id.
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
  for (const row of after) announceIfFallen(emit, before.get(row.product_id), row);
  return after;
}

/** `inventory.low` marks the fall, not the state: a product that was low already is not announced again. */
function announceIfFallen(emit: Change['emit'], before: Row<'stock'> | undefined, after: Row<'stock'>): void {
  if (!before || isLow(before) || !isLow(after)) return;
  const { store_id, product_id, name, quantity, low_threshold } = after;
  const data = { store_id, product_id, name, quantity: Number(quantity), low_threshold: Number(low_threshold) };
  emit(inventoryLow, { subject: store_id, data });
}
