import { notFound } from '../../../base/errors.ts';
import type { Rows } from '../../../store/port.ts';
import type { Row } from '../../../store/tables/index.ts';

/** Returns the store if the account may use it (gap pos.store-access). An account whose `store_ids` is null may use every store. */
export async function storeFor(rows: Rows, { id, store_ids }: Row<'accounts'>, storeId: string): Promise<Row<'stores'>> {
  const store = await rows.get('stores', { id: storeId });
  if (store && (store_ids === null || store_ids.includes(storeId))) return store;
  throw notFound('store_id', `There is no store ${JSON.stringify(storeId)} that account ${id} may use.`);
}
