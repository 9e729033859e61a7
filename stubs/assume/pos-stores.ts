import { data, on } from '../../contracts/gaps/is/changes.ts';
import type { Asked } from '../../contracts/gaps/is/is.ts';
import { withFields } from '../../contracts/gaps/is/values.ts';
import type { Json } from '../../contracts/tools/json.ts';
import { inventoryOf } from '../../gateway/api/pos/calls/inventory.ts';
import { sumsOf } from '../../gateway/api/pos/calls/report.ts';
import type { Rows } from '../../gateway/store/port.ts';
import { askedOfReport, posPolicyOf, storesOf } from './pos-store-ids.ts';
import type { Around, Variant, Variants } from './types.ts';

const inventory = 'GET /inventory';
const reports = 'GET /reports/sales';

/** What belongs to several stores names none. A currency is named if they have one. */
const currencyOf = (stores: readonly { currency: string }[]) => {
  const currencies = new Set(stores.map(({ currency }) => currency));
  return currencies.size === 1 ? [...currencies][0] : null;
};

async function inventoryOfAll(around: Around) {
  const stores = await storesOf(around);
  const held = await Promise.all(stores.map((one) => inventoryOf(around.store as Rows, one)));
  return {
    store_id: null,
    currency: currencyOf(stores),
    updated_at: held.map(({ updated_at }) => updated_at).reduce((latest, one) => (one > latest ? one : latest), ''),
    items: held.flatMap(({ store_id, items }) => items.map((item) => ({ store_id, ...item }))),
  };
}

async function reportOfAll(asked: Asked, around: Around) {
  const found = await askedOfReport(asked, around);
  if (!found) return undefined;
  const sums = await sumsOf(around.store as Rows, found.storeIds, found.period, posPolicyOf(around.policy));
  return { store_id: null, currency: currencyOf(await storesOf(around)), ...sums };
}

/** Answers for all stores of the account, if the query names none. The reference is asked for the first. */
const allStores: Variant = {
  at: 'subject',
  async request({ operation, query }, around) {
    if (![inventory, reports].includes(operation) || query.store_id !== undefined) return {};
    const [first] = await storesOf(around);
    return first ? { query: { ...query, store_id: first.id } } : {};
  },
  async look(asked, around) {
    if (around.sentQuery.store_id !== undefined) return undefined;
    if (asked.operation === inventory) return inventoryOfAll(around);
    return asked.operation === reports ? reportOfAll(asked, around) : undefined;
  },
  reply: (reply, asked, seen) => on([inventory, reports], data(withFields((seen ?? {}) as Json)))(reply, asked),
};

export const posStoreVariants: Variants<'pos'> = { 'pos.store-id-required=all-stores': allStores };
