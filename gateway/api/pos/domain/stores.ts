import { notFound, Refusal } from '../../../base/errors.ts';
import type { Rows } from '../../../store/port.ts';
import type { Row } from '../../../store/tables/index.ts';
import { type PosPolicy, registeredPolicy } from '../policy.ts';

/** Returns the store if the account may use it. An account whose `store_ids` is null may use every store. */
export async function storeFor(
  rows: Rows,
  account: Row<'accounts'>,
  storeId: string,
  policy: PosPolicy = registeredPolicy,
): Promise<Row<'stores'>> {
  const store = await rows.get('stores', { id: storeId });
  if (store && policy.mayUse(account, storeId)) return store;
  const { code, message, details } = notFound(
    'store_id',
    `There is no store ${JSON.stringify(storeId)} that account ${account.id} may use.`,
  );
  throw new Refusal(store ? policy.foreignStore : 'not_found', code, message, { details });
}
