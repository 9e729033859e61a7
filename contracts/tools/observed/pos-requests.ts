import { parametersOf } from '../../openapi/operations.ts';
import { listOf } from '../assumptions/values.ts';
import { fieldsOf, type Json } from '../json.ts';
import { type Ask, isMissing, isOneOf, parameter, recogniserOf, surplus, value } from './asks.ts';
import { choice, excludes, type Finding, nothing, other, type Recogniser, type SeenCall, shows } from './finding.ts';
import {
  aboutRepeats,
  idsIn,
  isInvalid,
  isNamed,
  isOn,
  isRefused,
  isSame,
  isSuccess,
  isText,
  recordOf,
  says,
  sentFields,
  tokenOf,
} from './look.ts';

/** What the point of sale accepts and refuses. */

const sales = 'POST /sales';
const payments = 'POST /payment/mobile';
const inventory = 'GET /inventory';
const reports = 'GET /reports/sales';

const linesOf = (call: SeenCall): Json[] => listOf(sentFields(call).items).map(fieldsOf);
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const sumOf = (call: SeenCall) => linesOf(call).reduce((sum, { quantity, price }) => sum + Number(quantity) * Number(price), 0);
/** True if two amounts differ by more than binary rounding does. */
const differ = (one: number, another: number) => Math.abs(one - another) > 1e-6 * Math.max(1, Math.abs(one));

const ourProvider: Recogniser = (call) => {
  const { provider } = sentFields(call);
  const isOurs = ['orange_money', 'mtn_momo', 'moov_money'].includes(String(provider));
  if (!isOn(call, payments) || !isOurs || !isSuccess(call)) return nothing;
  return fieldsOf(recordOf(call.reply.body)).provider === provider
    ? excludes(
        'pos.providers',
        ['short-names', 'other-country'],
        'a payment with a provider of our choice succeeds, and is answered with it',
      )
    : nothing;
};

const isBroken = (call: SeenCall) => {
  const quantities = linesOf(call).map(({ quantity }) => quantity);
  return quantities.every((one) => isNumber(one) && one > 0) && !quantities.every(Number.isInteger);
};

/** How much the total of a sale is over the sum of its lines; 0 if that cannot be told. */
function surplusOfTotal(call: SeenCall): number {
  const { total } = sentFields(call);
  const lines = linesOf(call);
  const isPlain = lines.length > 0 && lines.every(({ quantity, price }) => isNumber(quantity) && quantity > 0 && isNumber(price));
  return isPlain && isNumber(total) && differ(sumOf(call), total) ? total - sumOf(call) : 0;
}

/** True if a payment names a sale of this run: a service that takes the number of the sale needs it only if it knows the sale. */
const namesKnownSale = (call: SeenCall, earlier: readonly SeenCall[]) =>
  earlier.some(
    (one) => isOn(one, sales) && isSuccess(one) && idsIn(recordOf(one.reply.body)).includes(String(sentFields(call).reference)),
  );

const ourPhone = /^\+?\d(?:[ .-]?\d){7,14}$/;
const isWithoutCountry = (phone: unknown) => isText(phone) && !phone.startsWith('+') && ourPhone.test(phone);
const phoneGap = { gap: 'pos.phone-format', refused: 'e164-only', says: /\+|E\.?164|country code|international/i };

const asked: readonly Ask[] = [
  value(sales, 'total', isMissing, { gap: 'pos.sale-fields-required', taken: 'total-optional' }),
  value(payments, 'reference', isMissing, { gap: 'pos.payment-fields-required', taken: 'reference-optional' }),
  {
    ...{ on: payments, names: 'phone', gap: 'pos.payment-fields-required', what: 'a payment without phone' },
    asks: (call, earlier) =>
      sentFields(call).phone === undefined && call.asked.body !== undefined && (isSuccess(call) || namesKnownSale(call, earlier)),
    taken: 'phone-optional',
  },
  value(sales, 'payment_method', isOneOf('orange_money', 'mtn_momo', 'moov_money'), {
    gap: 'pos.payment-methods',
    taken: 'one-per-operator',
  }),
  value(sales, 'payment_method', isOneOf('cheque', 'bank_transfer', 'credit'), { gap: 'pos.payment-methods', taken: 'further' }),
  value(payments, 'provider', isOneOf('orange', 'mtn', 'moov'), { gap: 'pos.providers', taken: 'short-names' }),
  value(payments, 'provider', isOneOf('wave', 'airtel_money'), { gap: 'pos.providers', taken: 'other-country' }),
  {
    ...{
      on: sales,
      names: 'customer_phone',
      gap: 'pos.sale-fields-required',
      what: 'a mobile-money sale without customer_phone',
    },
    asks: (call) => sentFields(call).customer_phone === undefined && sentFields(call).payment_method === 'mobile_money',
    refused: 'phone-with-mobile-money',
  },
  {
    ...{ on: sales, names: 'quantity', gap: 'pos.amount-bounds', what: 'a broken quantity', asks: isBroken },
    ...{ refused: 'whole-quantities', says: /whole|integer|entier|fraction|decimal/i },
  },
  {
    ...{ on: sales, names: 'total', gap: 'pos.sale-total', what: 'a total over the sum of the lines' },
    ...{ asks: (call) => surplusOfTotal(call) > 0, taken: 'trusted' },
  },
  {
    ...{ on: sales, names: 'total', gap: 'pos.sale-total', what: 'a total below the sum of the lines' },
    ...{ asks: (call) => surplusOfTotal(call) < 0, taken: { not: [choice] }, refused: { not: ['trusted', 'discount'] } },
  },
  value(sales, 'customer_phone', isWithoutCountry, phoneGap),
  value(payments, 'phone', isWithoutCountry, phoneGap),
  parameter([inventory, reports], 'store_id', isMissing, {
    gap: 'pos.store-id-required',
    taken: 'all-stores',
    refused: choice,
  }),
];

const repeats: Recogniser = (call) => {
  const gap = 'pos.repeated-products';
  const lines = linesOf(call);
  const different = new Set(lines.map(({ product_id }) => product_id)).size;
  if (!isOn(call, sales) || different === lines.length) return nothing;
  if (isSuccess(call)) {
    const record = fieldsOf(recordOf(call.reply.body));
    const items = record.items ?? fieldsOf(record.sale).items;
    if (!Array.isArray(items)) return excludes(gap, ['refused'], 'a product on two lines is accepted');
    if (items.length === lines.length) return shows(gap, choice, 'the lines of one product are kept apart');
    return items.length === different ? shows(gap, 'merged', 'the lines of one product are merged') : nothing;
  }
  return isInvalid(call) && says(call, /duplicat|repeat|twice|another line|distinct|unique|same product/i)
    ? shows(gap, 'refused', 'a product on two lines is refused')
    : nothing;
};

const dates: Recogniser = (call) => {
  const ours = parametersOf('pos', reports) ?? [];
  const lacking = ['start_date', 'end_date'].filter((name) => call.asked.query[name] === undefined);
  const isRefusedForIt =
    isInvalid(call) && call.asked.query.store_id !== undefined && lacking.some((name) => isNamed(call, name));
  return isOn(call, reports) && isRefusedForIt && Object.keys(call.asked.query).every((name) => ours.includes(name))
    ? shows('pos.report-dates-required', 'required', 'a report without a date is refused')
    : nothing;
};

/** Payments of sales that were made in this run. */
const parts: Recogniser = (call, earlier) => {
  const gap = 'pos.partial-payments';
  const { reference, amount } = sentFields(call);
  if (!isOn(call, payments) || !isText(reference) || !isNumber(amount) || amount <= 0) return nothing;
  const sale = earlier.find((one) => isOn(one, sales) && isSuccess(one) && idsIn(recordOf(one.reply.body)).includes(reference));
  const sold = sale && sentFields(sale).total;
  if (!isNumber(sold)) return nothing;
  const before = earlier.filter((one) => isOn(one, payments) && isSuccess(one) && sentFields(one).reference === reference);
  const remaining = sold - before.reduce((sum, one) => sum + Number(sentFields(one).amount), 0);
  const isAboutIt = isRefused(call) && isNamed(call, 'amount');
  if (before.length === 0 && amount < sold && differ(amount, sold)) {
    if (isSuccess(call)) return excludes(gap, ['exact-amount'], 'a part of a sale is paid');
    return isAboutIt ? shows(gap, 'exact-amount', 'a part of a sale is refused') : nothing;
  }
  if (remaining > 0 && amount > remaining && differ(amount, remaining)) {
    if (isSuccess(call)) return shows(gap, 'change-kept', 'more than the sale is paid');
    return isAboutIt ? excludes(gap, ['change-kept'], 'an amount over the total is refused') : nothing;
  }
  return nothing;
};

const shownOfSales = ['store_id', 'status', 'items', 'total', 'paid', 'created_at'];

/** A sale of which nothing but its id is shown may have a reference all the same. */
const isWhole = (fields: Json) => shownOfSales.filter((name) => name in fields).length > 2;

/** Which of its texts names the sale that a payment is of. */
const paidBy: Recogniser = (call, earlier) => {
  const gap = 'pos.payment-reference';
  const { reference } = sentFields(call);
  if (!isOn(call, payments) || !isText(reference)) return nothing;
  const sold = earlier.filter((one) => isOn(one, sales) && isSuccess(one)).map(({ reply }) => recordOf(reply.body));
  const sale = sold.find((one) => idsIn(one).includes(reference));
  const isUnknown = call.reply.status === 404 || (isInvalid(call) && isNamed(call, 'reference'));
  if (sale === undefined && isUnknown) return excludes(gap, ['made-by-client'], 'a payment with an unknown reference is refused');
  if (sale === undefined || !isSuccess(call)) return nothing;
  const { id, reference: own, ...others } = fieldsOf(sale);
  return id === reference && own === undefined && isWhole(others)
    ? excludes(gap, [choice], 'a sale is answered without a reference, and paid by its id')
    : nothing;
};

const stock: Recogniser = (call, earlier) => {
  const gap = 'pos.insufficient-stock';
  if (!isOn(call, sales)) return nothing;
  // A sale of several lines might have been sold in part.
  if (isRefused(call) && says(call, /stock/i) && !says(call, /unknown|not found/i))
    return excludes(gap, ['negative-stock'], 'a sale of more than the stock is refused');
  const read = latestInventory(call, earlier);
  const held = read ? figuresIn(read, 'quantity') : new Map<string, number>();
  const isOver = linesOf(call).some(
    ({ product_id, quantity }) => Number(quantity) > (held.get(String(product_id)) ?? Number.POSITIVE_INFINITY),
  );
  return isOver && isSuccess(call) ? excludes(gap, [choice], 'a sale of more than the stock succeeds') : nothing;
};

const negativeStock: Recogniser = (call) =>
  isOn(call, inventory) && isSuccess(call) && [...figuresIn(call, 'quantity').values()].some((quantity) => quantity < 0)
    ? shows('pos.insufficient-stock', 'negative-stock', 'an inventory has a quantity below 0')
    : nothing;

/** Prices or quantities of an inventory by product, if it names both as sales do. */
function figuresIn({ reply }: SeenCall, name: 'price' | 'quantity'): Map<string, number> {
  const record = recordOf(reply.body);
  const items = listOf(Array.isArray(record) ? record : fieldsOf(record).items).map(fieldsOf);
  return new Map(
    items.flatMap(({ product_id, [name]: figure }) => (isText(product_id) && isNumber(figure) ? [[product_id, figure]] : [])),
  );
}

/** The inventory of a sale's store, if no call of this run changed data since it was read. */
function latestInventory(call: SeenCall, earlier: readonly SeenCall[]): SeenCall | undefined {
  const read = earlier.findLast(
    (one) => isOn(one, inventory) && isSuccess(one) && one.asked.query.store_id === sentFields(call).store_id,
  );
  const isOld = read === undefined || earlier.some((one) => one.number > read.number && !isRead(one) && isSuccess(one));
  return isOld ? undefined : read;
}

const catalogue: Recogniser = (call, earlier) => {
  const gap = 'pos.item-price';
  if (!isOn(call, sales)) return nothing;
  if (isInvalid(call) && isNamed(call, 'price') && says(call, /catalog/i))
    return shows(gap, 'catalogue-only', 'a price that differs from the catalogue is refused');
  const read = latestInventory(call, earlier);
  const prices = read ? figuresIn(read, 'price') : new Map<string, number>();
  const differs = linesOf(call).some(({ product_id, price }) => {
    const known = prices.get(String(product_id));
    return known !== undefined && isNumber(price) && differ(known, price);
  });
  return differs && isSuccess(call)
    ? excludes(gap, ['catalogue-only'], 'a price that differs from the inventory succeeds')
    : nothing;
};

/** Changes of the stock by one mobile-money sale, and by its payment. In between nothing else may change data. */
const taken: Recogniser = (call, earlier) => {
  const gap = 'pos.stock-at-creation';
  if (!isOn(call, inventory) || !isSuccess(call)) return nothing;
  const isOfStore = (one: SeenCall) => isOn(one, inventory) && one.asked.query.store_id === call.asked.query.store_id;
  const last = [...earlier.filter((one) => isSuccess(one) && (isOfStore(one) || !isRead(one))), call].slice(-5);
  const kinds = last.map((one) => (isOfStore(one) ? 'read' : isOn(one, sales) ? 'sale' : 'payment')).join();
  if (kinds.endsWith('read,sale,read')) {
    const [before, sale] = last.slice(-3) as [SeenCall, SeenCall];
    return takenBy(sale, before, call) === 'all'
      ? excludes(gap, ['at-completion'], 'a pending sale takes its goods from stock')
      : nothing;
  }
  if (kinds !== 'read,sale,read,payment,read') return nothing;
  const [before, sale, between] = last as [SeenCall, SeenCall, SeenCall];
  return takenBy(sale, before, between) === 'none' && takenBy(sale, between, call) === 'all'
    ? shows(gap, 'at-completion', 'a sale takes its goods from stock when it is paid')
    : nothing;
};

const isRead = ({ asked: { operation } }: SeenCall) => operation.startsWith('GET') || operation === 'POST /auth';

/** How much of a mobile-money sale of one line left the stock between two inventories. */
function takenBy(sale: SeenCall, before: SeenCall, after: SeenCall): 'all' | 'none' | undefined {
  const [line, ...more] = linesOf(sale);
  if (more.length > 0 || sentFields(sale).payment_method !== 'mobile_money') return undefined;
  const [first, second] = [before, after].map((one) => figuresIn(one, 'quantity').get(String(line?.product_id)));
  if (first === undefined || second === undefined) return undefined;
  return first === second ? 'none' : first - second === line?.quantity ? 'all' : undefined;
}

/** Repeats of a POST with its key. */
const keys: Recogniser = (call, earlier) => {
  const gap = 'pos.idempotency-keys';
  const { 'idempotency-key': key } = call.asked.headers;
  if (!isOn(call, sales, payments) || !isSuccess(call) || key === undefined) return nothing;
  if (key === '') return shows(gap, 'none', 'an empty Idempotency-Key is accepted');
  const same = earlier.findLast(
    (one) =>
      isSuccess(one) &&
      one.asked.operation === call.asked.operation &&
      one.asked.headers['idempotency-key'] === key &&
      tokenOf(one) === tokenOf(call) &&
      isSame(one.asked.body, call.asked.body),
  );
  if (!same) return nothing;
  const [first, second] = [same, call].map(({ reply }) => idsIn(recordOf(reply.body)));
  if (!first?.length || !second?.length) return nothing;
  return repeated(gap, isSame(first, second), isSame(same.reply.body, call.reply.body));
};

function repeated(gap: string, isSameRecord: boolean, isSameReply: boolean): Finding[] {
  if (!isSameRecord) return shows(gap, 'none', 'a POST that is repeated with its Idempotency-Key makes another record');
  if (isSameReply) return excludes(gap, ['none'], 'a POST that is repeated with its Idempotency-Key gets the first reply');
  return shows(gap, other, 'a POST that is repeated with its Idempotency-Key gets the first record in another reply');
}

/** A sale that is sent again without a key, soon after the first. */
const again: Recogniser = (call, earlier) => {
  const gap = 'pos.repeated-post';
  const { 'idempotency-key': key } = call.asked.headers;
  if (!isOn(call, sales) || key !== undefined) return nothing;
  const same = earlier.findLast((one) => isOn(one, sales) && isSuccess(one) && isSame(one.asked.body, call.asked.body));
  if (same === undefined || call.number - same.number > 3) return nothing;
  if (isSuccess(call)) return excludes(gap, ['refused'], 'a sale that is sent again is taken');
  return isInvalid(call) && says(call, aboutRepeats) ? shows(gap, 'refused', 'a sale that is sent again is refused') : nothing;
};

export const posRequests: readonly Recogniser[] = [
  ...asked.map(recogniserOf),
  surplus('pos', { bodies: 'pos.strict-bodies', queries: 'pos.strict-queries' }),
  ...[ourProvider, repeats, dates, parts, paidBy, stock, negativeStock, catalogue, taken, keys, again],
];
