import { invalid } from '../../../base/errors.ts';
import { toInstant } from '../../../http/fields.ts';
import type { Row } from '../../../store/tables/index.ts';
import type { Change } from '../../../webhooks/outbox/change.ts';
import { exact, sumOf, toText } from '../domain/decimals.ts';
import { lockStock, setQuantities } from '../domain/stock.ts';
import { syncCompleted } from '../events.ts';
import { readStore } from './stores.ts';

interface Counted {
  product_id: string;
  quantity: number;
}

/** Adds goods received to the stock. Returns the products that changed. */
export async function restock(change: Change, storeId: string, items: readonly Counted[]): Promise<Row<'stock'>[]> {
  await readStore(change.tx, storeId);
  const stock = await lockStock(change.tx, storeId, items);
  const arrived = Map.groupBy(items, ({ product_id }) => product_id);
  const quantities = [...arrived].map(([id, lines]): [string, string] => {
    const held = exact(stock.get(id)?.quantity ?? 0);
    return [id, held.plus(sumOf(lines.map(({ quantity }) => quantity))).toFixed()];
  });
  return setQuantities(change, storeId, stock, new Map(quantities));
}

/**
 * Synchronizes a store with a count: the counted quantities replace the stored ones, and `sync.completed` is sent
 * (gap pos.sync-completed-condition). An empty count confirms the stored quantities.
 */
export async function synchronize(
  change: Change,
  storeId: string,
  items: readonly Counted[],
): Promise<{ store: Row<'stores'>; products: number; changed: number }> {
  const { tx, now, emit } = change;
  await readStore(tx, storeId);
  items.forEach(({ product_id }, line) => {
    if (items.findIndex((other) => other.product_id === product_id) === line) return;
    throw invalid(
      `items.${line}.product_id`,
      'counted_twice',
      `Product ${product_id} is counted twice. Send one quantity for it.`,
    );
  });
  const stock = await lockStock(change.tx, storeId, items);
  const counted = new Map(items.map(({ product_id, quantity }) => [product_id, toText(quantity)]));
  const changed = (await setQuantities(change, storeId, stock, counted)).length;
  const [store] = await tx.update('stores', { id: storeId }, { synchronized_at: now });
  if (!store) throw new Error(`store ${storeId} disappeared while it was synchronized`);
  const products = await tx.count('stock', { store_id: storeId });
  emit(syncCompleted, { subject: storeId, data: { store_id: storeId, synchronized_at: toInstant(now), products, changed } });
  return { store, products, changed };
}
