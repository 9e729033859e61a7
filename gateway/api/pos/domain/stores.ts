import { notFound } from '../../../base/errors.ts';
import type { Rows } from '../../../store/port.ts';
import type { Row } from '../../../store/tables/index.ts';

/** Returns the store if the account may use it. An account whose `store_ids` is null may use every store. */
export async function storeFor(rows: Rows, account: Row<'accounts'>, storeId: string): Promise<Row<'stores'>> {
  const isAllowed = account.store_ids === null || account.store_ids.includes(storeId);
  const store = isAllowed ? await rows.get('stores', { id: storeId }) : undefined;
  if (store) return store;
  throw notFound('store_id', `There is no store ${JSON.stringify(storeId)} that account ${account.id} may use.`);
}
