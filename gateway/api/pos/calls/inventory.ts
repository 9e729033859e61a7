import { toInstant } from '../../../http/fields.ts';
import type { Rows } from '../../../store/port.ts';
import type { Row } from '../../../store/tables/index.ts';
import { storeFor } from '../domain/stores.ts';
import type { PosCaller } from '../identity.ts';
import type { InventoryView } from '../schemas.ts';
import { stockView } from '../views.ts';

/** Returns every product of a store with its current quantity (gap pos.inventory-response). */
export async function readInventory(rows: Rows, caller: PosCaller, { store_id }: { store_id: string }): Promise<InventoryView> {
  return inventoryOf(rows, await storeFor(rows, caller.account, store_id));
}

export async function inventoryOf(rows: Rows, store: Row<'stores'>): Promise<InventoryView> {
  const stock = await rows.list('stock', { where: { store_id: store.id }, order: [['product_id', 'asc']] });
  const updatedAt = stock.reduce((latest, { updated_at }) => Math.max(latest, updated_at), store.created_at);
  return { store_id: store.id, currency: store.currency, updated_at: toInstant(updatedAt), items: stock.map(stockView) };
}
