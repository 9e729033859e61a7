import { data, on } from '../../contracts/gaps/is/changes.ts';
import { sent } from '../../contracts/gaps/is/conditions.ts';
import type { Asked } from '../../contracts/gaps/is/is.ts';
import { inventory, payments, reports } from '../../contracts/gaps/is/pos.ts';
import { withFields } from '../../contracts/gaps/is/values.ts';
import type { Json } from '../../contracts/json.ts';
import { inventoryOf } from '../../gateway/api/pos/calls/inventory.ts';
import { periodOf, sumsOf } from '../../gateway/api/pos/calls/report.ts';
import type { PosCaller } from '../../gateway/api/pos/identity.ts';
import { type PosPolicy, registeredPolicy } from '../../gateway/api/pos/policy.ts';
import type { SalesReport } from '../../gateway/api/pos/schemas.ts';
import { saleViews } from '../../gateway/api/pos/views.ts';
import { Refusal } from '../../gateway/base/errors.ts';
import type { Rows } from '../../gateway/store/port.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import type { Around, Variant, Variants } from './types.ts';
import { withoutUnknownFields, withoutUnknownQuery } from './unknown-fields.ts';

const posPolicyOf = (policy: object): PosPolicy => ({ ...registeredPolicy, ...policy });

/** The sale that a payment names. */
async function saleOf(asked: Asked, { store, account }: Around): Promise<Row<'sales'> | undefined> {
  const { reference } = sent(asked);
  if (asked.operation !== payments || typeof reference !== 'string') return undefined;
  const sale = await store.get('sales', reference.startsWith('sale_') ? { id: reference } : { reference });
  return sale?.account_id === account ? sale : undefined;
}

/** The stores that the caller may use, in the order of their ids. */
async function storesOf({ store, caller, policy }: Around): Promise<Row<'stores'>[]> {
  const stores = await store.list('stores', { order: [['id', 'asc']] });
  return stores.filter(({ id }) => posPolicyOf(policy).mayUse((caller as PosCaller).account, id));
}

/** The stores and the period that a report is about; undefined if the call has no report. */
async function askedOfReport(
  { operation, query }: Asked,
  around: Around,
): Promise<{ storeIds: string[]; period: SalesReport['period'] } | undefined> {
  if (operation !== reports) return undefined;
  const isOfAll = around.isActive('pos.store-id-required=all-stores') && around.sentQuery.store_id === undefined;
  const storeIds = isOfAll ? (await storesOf(around)).map(({ id }) => id) : [query.store_id ?? ''];
  try {
    return { storeIds, period: periodOf(query, around.now, posPolicyOf(around.policy)) };
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** The sales of the report, one by one, as POST /sales answers them. */
const singleSales: Variant = {
  at: 'subject',
  async look(asked, around) {
    const { storeIds, period } = (await askedOfReport(asked, around)) ?? {};
    if (!storeIds || !period) return undefined;
    const rows = around.store as Rows;
    const where = { store_id: { in: storeIds }, sold_on: { gte: period.start_date, lte: period.end_date } };
    return saleViews(rows, await rows.list('sales', { where, order: [['id', 'asc']] }));
  },
  reply: (reply, asked, seen = []) =>
    on(
      reports,
      data(() => seen),
    )(reply, asked),
};

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
  reply: (reply, asked, seen = {}) => on([inventory, reports], data(withFields(seen as Json)))(reply, asked),
};

export const posVariants: Variants<'pos'> = {
  'pos.report-response=single-sales': singleSales,
  'pos.store-id-required=all-stores': allStores,
  'pos.strict-bodies=ignored': { at: 'outcome', request: withoutUnknownFields('pos') },
  'pos.strict-queries=ignored': { at: 'outcome', request: withoutUnknownQuery('pos') },
  'pos.payment-fields-required=phone-optional': {
    at: 'outcome',
    async request(asked, around) {
      const sale = sent(asked).phone === undefined ? await saleOf(asked, around) : undefined;
      return sale?.customer_phone ? { body: { ...sent(asked), phone: sale.customer_phone } } : {};
    },
  },
};
