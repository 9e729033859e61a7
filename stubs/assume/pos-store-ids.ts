import type { Asked } from '../../contracts/tools/assumptions/alternative.ts';
import type { PosCaller } from '../../gateway/api/pos/identity.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import type { Around } from './types.ts';

/** The stores that the caller may use, in the order of their ids. */
export async function storesOf({ store, caller, alternativeOf }: Around): Promise<Row<'stores'>[]> {
  const { store_ids } = (caller as PosCaller).account;
  const isBounded = store_ids !== null && alternativeOf('pos.store-access') !== 'every-store';
  return store.list('stores', { ...(isBounded && { where: { id: { in: store_ids } } }), order: [['id', 'asc']] });
}

/** The stores that a call is about. */
export async function storeIdsOf({ query }: Asked, around: Around): Promise<string[]> {
  if (around.alternativeOf('pos.store-id-required') === 'all-stores' && around.sentQuery.store_id === undefined)
    return (await storesOf(around)).map(({ id }) => id);
  return query.store_id === undefined ? [] : [query.store_id];
}
