import { isDeepStrictEqual } from 'node:util';
import { inventory, payments, sales } from '../../../spec/gaps/is/pos.ts';
import { listOf } from '../../../spec/gaps/is/values.ts';
import { fieldsOf, type Json } from '../../../spec/json.ts';
import { isText, type SeenCall } from './call.ts';
import { asked, choice, not, other, type Recogniser, taken } from './finding.ts';
import { differ, paidSale } from './request-ways.ts';

/** What the point of sale accepts and refuses. */

const linesOf = (call: SeenCall): Json[] => listOf(call.sent.items).map(fieldsOf);
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
/** The products of an inventory, if it names their fields as sales do. */
const productsIn = ({ record }: SeenCall): Json[] =>
  listOf(Array.isArray(record) ? record : fieldsOf(record).items).map(fieldsOf);

export const posRequests: readonly Recogniser[] = [
  taken(sales, 'pos.repeated-products', (call) => {
    const lines = linesOf(call);
    const different = new Set(lines.map(({ product_id }) => product_id)).size;
    if (different === lines.length) return undefined;
    const record = fieldsOf(call.record);
    const items = record.items ?? fieldsOf(record.sale).items;
    if (!Array.isArray(items)) return undefined;
    if (items.length === lines.length) return [choice, 'the lines of one product are kept apart'];
    return items.length === different && ['merged', 'the lines of one product are merged'];
  }),
  // Payments of sales that were made in this run.
  asked(payments, 'pos.partial-payments', (call, earlier) => {
    const { reference, amount } = call.sent;
    const sale = paidSale(call, earlier);
    const total = sale?.sent.total;
    if (!isText(reference) || !isNumber(amount) || amount <= 0 || !isNumber(total)) return undefined;
    const before = earlier.filter((one) => one.isOn(payments) && one.isSuccess && one.sent.reference === reference);
    const remaining = total - before.reduce((sum, one) => sum + Number(one.sent.amount), 0);
    const isAboutIt = call.isRefused && call.isNamed('amount');
    if (before.length === 0 && amount < total && differ(amount, total)) {
      if (call.isSuccess) return [not('exact-amount'), 'a part of a sale is paid'];
      return isAboutIt && ['exact-amount', 'a part of a sale is refused'];
    }
    if (remaining <= 0 || amount <= remaining || !differ(amount, remaining)) return undefined;
    if (call.isSuccess) return ['change-kept', 'more than the sale is paid'];
    return isAboutIt && [not('change-kept'), 'an amount over the total is refused'];
  }),
  // Finds which text of a sale a payment uses to name it.
  asked(payments, 'pos.payment-reference', (call, earlier) => {
    const { reference } = call.sent;
    const sale = paidSale(call, earlier);
    if (!isText(reference)) return undefined;
    if (sale === undefined) {
      const isUnknown = call.status === 404 || call.isRefusedFor('reference');
      return isUnknown && [not('made-by-client'), 'a payment with an unknown reference is refused'];
    }
    const { id, reference: own, ...others } = fieldsOf(sale.record);
    // If the reply shows only the sale's id, the sale may still have a reference.
    const isWhole = Object.keys(sale.sent).filter((name) => name in others).length > 2;
    const isById = call.isSuccess && id === reference && own === undefined && isWhole;
    return isById && [not(choice), 'a sale is answered without a reference, and paid by its id'];
  }),
  // Only the excluded choice is certain, because a sale of several lines might have been sold in part.
  asked(sales, 'pos.insufficient-stock', (call) => {
    const isForIt = call.isRefused && call.says(/stock/i) && !call.says(/unknown|not found/i);
    return isForIt && [not('negative-stock'), 'a sale of more than the stock is refused'];
  }),
  taken(inventory, 'pos.insufficient-stock', (call) => {
    const isBelow = productsIn(call).some(({ quantity }) => isNumber(quantity) && quantity < 0);
    return isBelow && ['negative-stock', 'an inventory has a quantity below 0'];
  }),
  asked(sales, 'pos.item-price', (call, earlier) => {
    if (call.isRefusedFor('price') && call.says(/catalog/i))
      return ['catalogue-only', 'a price that differs from the catalogue is refused'];
    const read = earlier.findLast((one) => one.isOn(inventory) && one.isSuccess && one.query.store_id === call.sent.store_id);
    const known = new Map((read ? productsIn(read) : []).map(({ product_id, price }) => [product_id, Number(price)]));
    const isOther = linesOf(call).some(({ product_id, price }) => differ(known.get(product_id) ?? Number.NaN, Number(price)));
    return isOther && call.isSuccess && [not('catalogue-only'), 'a price that differs from the inventory succeeds'];
  }),
  taken([sales, payments], 'pos.idempotency-keys', (call, earlier) => {
    if (call.idempotencyKey === undefined) return undefined;
    const isOfKey = (one: SeenCall) => one.idempotencyKey === call.idempotencyKey && one.token === call.token;
    const same = earlier.findLast((one) => one.isSuccess && isOfKey(one) && call.isLike(one));
    const [first, second] = [same, call].map((one) => one?.ids ?? []);
    if (!first?.length || !second?.length) return undefined;
    const what = 'a POST that is repeated with its Idempotency-Key';
    if (!isDeepStrictEqual(first, second)) return ['none', `${what} makes another record`];
    return isDeepStrictEqual(same?.reply.body, call.reply.body)
      ? [not('none'), `${what} gets the first reply`]
      : [other, `${what} gets the first record in another reply`];
  }),
];
