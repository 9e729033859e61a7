import type { Asked } from '../../contracts/gaps/is/is.ts';
import { periodOf } from '../../gateway/api/pos/calls/report.ts';
import type { PosCaller } from '../../gateway/api/pos/identity.ts';
import { type PosPolicy, registeredPolicy } from '../../gateway/api/pos/policy.ts';
import type { SalesReport } from '../../gateway/api/pos/schemas.ts';
import { Refusal } from '../../gateway/base/errors.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import type { Around } from './types.ts';

/** What verbs do under the active alternatives. */
export const posPolicyOf = (policy: object): PosPolicy => ({ ...registeredPolicy, ...policy });

/** The stores that the caller may use, in the order of their ids. */
export async function storesOf({ store, caller, policy }: Around): Promise<Row<'stores'>[]> {
  const stores = await store.list('stores', { order: [['id', 'asc']] });
  return stores.filter(({ id }) => posPolicyOf(policy).mayUse((caller as PosCaller).account, id));
}

/** The stores and the period that a report is about; undefined if the call has no report. */
export async function askedOfReport(
  { operation, query }: Asked,
  around: Around,
): Promise<{ storeIds: string[]; period: SalesReport['period'] } | undefined> {
  if (operation !== 'GET /reports/sales') return undefined;
  const isOfAll = around.isActive('pos.store-id-required=all-stores') && around.sentQuery.store_id === undefined;
  const storeIds = isOfAll ? (await storesOf(around)).map(({ id }) => id) : [query.store_id ?? ''];
  try {
    return { storeIds, period: periodOf(query, around.now, posPolicyOf(around.policy)) };
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
