import { all, inventory, payments, reports, sales, token } from '../../gaps/is/pos.ts';
import { listOf } from '../../gaps/is/values.ts';
import { fieldsOf, isRecord, type Json, jsonOr } from '../../json.ts';
import { isText, type SeenCall } from './call.ts';
import { fieldsOfReply, hasField, hasLike, isOurs, named } from './fields.ts';
import { answered, choice, not, other, type Recogniser, taken } from './finding.ts';

/** The successful replies of the point of sale: envelopes, names of fields, states, tokens. */

const saleFields = fieldsOfReply('pos', sales);
const paymentFields = fieldsOfReply('pos', payments);
const reportFields = fieldsOfReply('pos', reports);
const parts = reportFields.filter((name) => name.startsWith('by_'));

const namesOf = (record: unknown) => Object.keys(fieldsOf(record));
/** Which of the fields of our choice it has. Further fields are always allowed, so that others may be ours under other names. */
const heldOf = (record: unknown, ours: readonly string[]) => ours.filter((name) => namesOf(record).includes(name)).join();
const isPaged = (held: unknown) =>
  hasLike(held, /^(page|current_page|per_page|next_page|last_page|total_pages|pagination|meta|cursor|next_cursor)$/);

const shapes = [
  answered(all, 'pos.success-envelope', (_, { reply: { body } }) => {
    if (!isRecord(body)) return ['bare', 'the body is an array'];
    if ('success' in body && 'data' in body) return [choice, 'the body has success and data'];
    if ('success' in body) return ['beside-success', 'the body has success, and no data'];
    return 'data' in body ? [other, 'the body has data, and no success'] : ['bare', 'the body has neither success nor data'];
  }),
  answered(sales, 'pos.sale-response', (record) => {
    const [names, held] = [namesOf(record).join(), heldOf(record, saleFields)];
    const isUnderSale = isRecord(fieldsOf(record).sale);
    if (names === 'id') return ['id-only', 'it has only an id'];
    if (names === 'reference') return ['reference-only', 'it has only a reference'];
    if (names === 'sale' && isUnderSale) return ['under-sale', 'the sale is under a field sale'];
    if (held === '' && isUnderSale) return [not(choice, 'id-only', 'reference-only'), 'a record sale stands among other fields'];
    if (held === 'id') return [not(choice, 'under-sale', 'reference-only'), 'of the fields of our choice it has only id'];
    if (held === 'reference') return [not(choice, 'under-sale', 'id-only'), 'of the fields of our choice it has only reference'];
    return named('a sale', record, saleFields, ['currency', 'reference']);
  }),
  answered(inventory, 'pos.inventory-response', (record, call) => {
    const { items } = fieldsOf(record);
    if (isPaged(record) || isPaged(call.reply.body)) return ['pages', 'it has fields of pages'];
    if (Array.isArray(record)) return ['bare-array', 'it is an array'];
    const held = named('an inventory', record, fieldsOfReply('pos', inventory), ['currency']);
    if (held[0] !== choice) return held;
    if (!Array.isArray(items)) return [other, 'items is no list'];
    if (items.length === 0) return [not('bare-array', 'pages'), 'it has an empty list of items'];
    return named('an item', items[0], fieldsOfReply('pos', inventory, 'items'));
  }),
  answered(payments, 'pos.payment-response', (record, call) => {
    const names = namesOf(record);
    const others = names.filter((name) => name !== 'status').join();
    if (names.includes('status') && /^(id|payment_id|transaction(_?id)?)$/i.test(others))
      return ['transaction-id', 'it has only an id and a status'];
    if (['status', 'id,status'].includes(heldOf(record, paymentFields)))
      return [not(choice), 'of the fields of our choice it has only an id and a status'];
    // A payment for no sale has nothing to name one with.
    const ofSale = call.sent.reference === undefined ? ['reference', 'sale'] : [];
    return named('a payment', record, paymentFields, ['currency', ...ofSale]);
  }),
  answered(reports, 'pos.report-response', (record) => {
    if (Array.isArray(record)) return isRecord(record[0]) && ['single-sales', 'it is a list of records'];
    const names = namesOf(record);
    const hasNoParts = isRecord(fieldsOf(record).totals) && !names.some((name) => parts.includes(name));
    if (hasNoParts && names.every((name) => reportFields.includes(name)))
      return ['totals-only', 'it has totals, and no parts by day, product or means of payment'];
    if (hasNoParts && names.includes('period'))
      return [not(choice, 'single-sales'), 'it has totals and the period, and no parts of our choice'];
    return named('a report', record, reportFields, ['currency']);
  }),
];

const isOurSale = (record: unknown) => isOurs(record, saleFields, ['currency', 'reference']);
const isOurReply = (record: unknown, call: SeenCall) => {
  const { totals, items } = fieldsOf(record);
  if (call.isOn(sales)) return isOurSale(record);
  return call.isOn(payments) ? isOurs(record, paymentFields, ['currency']) : isRecord(totals) || Array.isArray(items);
};

/** The sales of a reply, if it names them as our choice does. A report may be a list of them. */
const salesIn = (call: SeenCall): Json[] => {
  const record = call.record;
  const { sale } = fieldsOf(record);
  if (call.isOn(reports)) return listOf(record).map(fieldsOf);
  return call.isOn(sales, payments) ? [fieldsOf(sale ?? (call.isOn(sales) ? record : undefined))] : [];
};

/** The status of a record, if the record names it as our choice does. */
const stateIn = (call: SeenCall) => String(fieldsOf(call.record).status).toLowerCase();

const values = [
  taken(all, 'pos.currency', (call) => {
    const record = call.record;
    if (hasField(record, 'currency')) return [not('one-fixed'), 'the reply names a currency'];
    const isNotNamed = 'store_id' in fieldsOf(record) && isOurReply(record, call);
    return isNotNamed && ['one-fixed', 'the reply has our fields, and no currency'];
  }),
  taken(sales, 'pos.payment-reference', (call) => {
    const record = call.record;
    const { reference } = fieldsOf(fieldsOf(record).sale ?? record);
    if (isText(reference) && call.sent.reference === undefined)
      return [not('made-by-client', 'sale-id'), 'the reply to a sale has a reference'];
    return isOurSale(record) && [not(choice), 'the reply to a sale has our fields, and no reference'];
  }),
  taken(all, 'pos.sale-states', (call) => {
    const isFurther = salesIn(call).some(({ status }) => /^(cancell?ed|refunded|failed)$/i.test(String(status)));
    return isFurther && ['further', 'a sale is cancelled, refunded or failed'];
  }),
  taken(sales, 'pos.sale-states', (call) => {
    const { payment_method: method, total } = call.sent;
    if (method !== 'mobile_money' || !(Number(total) > 0)) return undefined;
    if (stateIn(call) === 'pending') return [not('completed-at-once'), 'a mobile-money sale is pending'];
    return stateIn(call) === 'completed' && ['completed-at-once', 'a mobile-money sale is completed at once'];
  }),
  taken(payments, 'pos.payment-states', (call) => {
    if (stateIn(call) === 'received') return [not('pending'), 'a payment is received at once'];
    return stateIn(call) === 'pending' && ['pending', 'a payment is pending'];
  }),
  taken(reports, 'pos.report-dates-required', (call) => {
    const { start_date: start, end_date: end } = call.query;
    const { start_date: first, end_date: last } = fieldsOf(fieldsOf(call.record).period);
    const days = Math.round((Date.parse(String(last)) - Date.parse(String(first))) / 86_400_000) + 1;
    if (start !== undefined || end !== undefined || !Number.isFinite(days)) return undefined;
    if (days === 30) return [choice, 'a report without dates is of 30 days'];
    return [days === 1 ? 'current-day' : other, `a report without dates is of ${days} days`];
  }),
];

/** The parts of a JWT; of another token, parts that are no records. */
const tokenIn = (call: SeenCall): unknown[] => {
  const { token } = fieldsOf(call.reply.body);
  return isText(token) ? token.split('.').map((part) => jsonOr(Buffer.from(part, 'base64url').toString(), undefined)) : [];
};

/** The claims of a JWT are in seconds (RFC 7519), so they tell the unit of expires_in. Without them nothing does. */
const secondsIn = (call: SeenCall): number | undefined => {
  const [head, claims] = tokenIn(call);
  const { iat, exp } = fieldsOf(claims);
  return isText(fieldsOf(head).alg) && typeof iat === 'number' && typeof exp === 'number' && exp > iat ? exp - iat : undefined;
};

/** The unit of expires_in. If it and the claims disagree, neither of them is certain. */
const unitIn = (call: SeenCall): string | undefined => {
  const seconds = secondsIn(call) ?? Number.NaN;
  const units = { [choice]: seconds, milliseconds: seconds * 1000, minutes: seconds / 60 };
  return Object.entries(units).find(([, value]) => value === fieldsOf(call.reply.body).expires_in)?.[0];
};

const tokens = [
  taken(token, 'pos.token-format', (call) => {
    const { alg } = fieldsOf(tokenIn(call)[0]);
    if (tokenIn(call).length === 0) return undefined;
    if (!isText(alg)) return ['random', 'the token is not a JWT'];
    return alg === 'HS256' ? [choice, 'the token is a JWT with HS256'] : ['rs256', 'the token is a JWT with another signature'];
  }),
  taken(token, 'pos.expires-in-unit', (call) => {
    const unit = unitIn(call);
    return unit !== undefined && [unit, `expires_in is ${unit === choice ? 'in seconds' : `in ${unit}`}, as the token says`];
  }),
  taken(token, 'pos.token-lifetime', (call) => {
    const seconds = secondsIn(call);
    const way = seconds === 3600 ? choice : seconds === 86_400 ? '24-hours' : other;
    return unitIn(call) !== undefined && [way, `a token lives ${seconds} seconds`];
  }),
];

export const posReplies: readonly Recogniser[] = [...shapes, ...values, ...tokens];
