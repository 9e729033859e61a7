import { listOf } from '../assumptions/values.ts';
import { fieldsOf, isRecord, type Json } from '../json.ts';
import { compareFields, fieldsOfReply, named } from './fields.ts';
import { choice, excludes, nothing, other, type Recogniser, type SeenCall, shows } from './finding.ts';
import { hasField, isOn, isSuccess, isText, recordOf, sentFields } from './look.ts';

/** The successful replies of the point of sale: statuses, envelopes, names of fields. */

const sales = 'POST /sales';
const payments = 'POST /payment/mobile';
const inventory = 'GET /inventory';
const reports = 'GET /reports/sales';
const all = [sales, payments, inventory, reports];

const hasBody = (body: unknown) => (isRecord(body) && Object.keys(body).length > 0) || Array.isArray(body);

const envelope: Recogniser = (call) => {
  const { body } = call.reply;
  const gap = 'pos.success-envelope';
  if (!isOn(call, ...all) || !isSuccess(call) || !hasBody(body)) return nothing;
  if (!isRecord(body)) return shows(gap, 'bare', 'the body is an array');
  const [success, data] = ['success' in body, 'data' in body];
  if (success && data) return shows(gap, choice, 'the body has success and data');
  if (success) return shows(gap, 'beside-success', 'the body has success, and no data');
  return data
    ? shows(gap, other, 'the body has data, and no success')
    : shows(gap, 'bare', 'the body has neither success nor data');
};

const statusOf =
  (operation: string, gap: string, known: readonly string[]): Recogniser =>
  (call) => {
    if (!isOn(call, operation) || !isSuccess(call)) return nothing;
    const status = String(call.reply.status);
    return shows(gap, status === '201' ? choice : known.includes(status) ? status : other, `the status is ${status}`);
  };

export const saleFields = fieldsOfReply('pos', sales);
export const paymentFields = fieldsOfReply('pos', payments);
const reportFields = fieldsOfReply('pos', reports);

const isOurSale = (record: unknown) => compareFields(record, saleFields, ['currency', 'reference']) === 'ours';
const isOurPayment = (record: unknown) => compareFields(record, paymentFields, ['currency']) === 'ours';

const sale: Recogniser = (call) => {
  if (!isOn(call, sales) || !isSuccess(call) || !hasBody(call.reply.body)) return nothing;
  const gap = 'pos.sale-response';
  const record = recordOf(call.reply.body);
  const names = Object.keys(fieldsOf(record));
  if (names.length === 1) {
    if (names[0] === 'id') return shows(gap, 'id-only', 'it has only an id');
    if (names[0] === 'reference') return shows(gap, 'reference-only', 'it has only a reference');
    if (isRecord(fieldsOf(record).sale)) return shows(gap, 'under-sale', 'the sale is under a field sale');
  }
  const held = saleFields.filter((name) => names.includes(name));
  // Further fields are always allowed, so these may be ours under other names.
  if (held.length === 0 && isRecord(fieldsOf(record).sale))
    return excludes(gap, [choice, 'id-only', 'reference-only'], 'a record sale stands among other fields');
  if (held.length === 1 && (held[0] === 'id' || held[0] === 'reference'))
    return excludes(
      gap,
      [choice, 'under-sale', held[0] === 'id' ? 'reference-only' : 'id-only'],
      `of the fields of our choice it has only ${held[0]}`,
    );
  return named(gap, 'a sale', record, saleFields, ['currency', 'reference']);
};

const isPaged = (value: unknown) =>
  Object.keys(fieldsOf(value)).some((name) =>
    /^(page|current_page|per_page|next_page|last_page|total_pages|pagination|meta|cursor|next_cursor)$/.test(name),
  );

const stock: Recogniser = (call) => {
  if (!isOn(call, inventory) || !isSuccess(call) || !hasBody(call.reply.body)) return nothing;
  const gap = 'pos.inventory-response';
  const record = recordOf(call.reply.body);
  if (Array.isArray(record)) {
    if (isPaged(call.reply.body)) return shows(gap, 'pages', 'it has fields of pages');
    return shows(gap, 'bare-array', 'it is an array');
  }
  if (isPaged(record) || isPaged(call.reply.body)) return shows(gap, 'pages', 'it has fields of pages');
  const { items } = fieldsOf(record);
  const held = named(gap, 'an inventory', record, fieldsOfReply('pos', inventory), ['currency']);
  if (held[0]?.shows !== choice) return held;
  if (!Array.isArray(items)) return shows(gap, other, 'items is no list');
  if (items.length === 0) return excludes(gap, ['bare-array', 'pages'], 'it has an empty list of items');
  return named(gap, 'an item', items[0], fieldsOfReply('pos', inventory, 'items'));
};

const payment: Recogniser = (call) => {
  if (!isOn(call, payments) || !isSuccess(call) || !hasBody(call.reply.body)) return nothing;
  const gap = 'pos.payment-response';
  const record = recordOf(call.reply.body);
  const names = Object.keys(fieldsOf(record)).sort();
  if (
    names.length === 2 &&
    /^(id|payment_id|transaction(_?id)?)$/i.test(names.find((name) => name !== 'status') ?? '') &&
    names.includes('status')
  )
    return shows(gap, 'transaction-id', 'it has only an id and a status');
  // Further fields are always allowed, so these may be ours under other names.
  if (paymentFields.every((name) => name === 'id' || names.includes(name) === (name === 'status')))
    return excludes(gap, [choice], 'of the fields of our choice it has only an id and a status');
  // A payment for no sale has nothing to name one with.
  const ofSale = sentFields(call).reference === undefined ? ['reference', 'sale'] : [];
  return named(gap, 'a payment', record, paymentFields, ['currency', ...ofSale]);
};

const report: Recogniser = (call) => {
  if (!isOn(call, reports) || !isSuccess(call) || !hasBody(call.reply.body)) return nothing;
  const gap = 'pos.report-response';
  const record = recordOf(call.reply.body);
  if (Array.isArray(record)) {
    return isRecord(record[0]) ? shows(gap, 'single-sales', 'it is a list of records') : nothing;
  }
  const fields = fieldsOf(record);
  const parts = reportFields.filter((name) => name.startsWith('by_'));
  const names = Object.keys(fields);
  if (
    isRecord(fields.totals) &&
    !names.some((name) => parts.includes(name)) &&
    names.every((name) => reportFields.includes(name))
  )
    return shows(gap, 'totals-only', 'it has totals, and no parts by day, product or means of payment');
  // Further fields are always allowed, so these may be the parts under other names.
  if (isRecord(fields.totals) && 'period' in fields && !names.some((name) => parts.includes(name)))
    return excludes(gap, [choice, 'single-sales'], 'it has totals and the period, and no parts of our choice');
  return named(gap, 'a report', record, reportFields, ['currency']);
};

const currency: Recogniser = (call) => {
  const record = recordOf(call.reply.body);
  const isOurs =
    (isOn(call, sales) && isOurSale(record)) ||
    (isOn(call, payments) && isOurPayment(record)) ||
    (isOn(call, inventory, reports) && (isRecord(fieldsOf(record).totals) || Array.isArray(fieldsOf(record).items)));
  if (!isSuccess(call) || !isOn(call, ...all)) return nothing;
  if (hasField(record, 'currency')) return excludes('pos.currency', ['one-fixed'], 'the reply names a currency');
  return isOurs && 'store_id' in fieldsOf(record)
    ? shows('pos.currency', 'one-fixed', 'the reply has our fields, and no currency')
    : nothing;
};

const reference: Recogniser = (call) => {
  if (!isOn(call, sales) || !isSuccess(call)) return nothing;
  const record = recordOf(call.reply.body);
  const gap = 'pos.payment-reference';
  const held = fieldsOf(fieldsOf(record).sale ?? record);
  if (isText(held.reference) && sentFields(call).reference === undefined)
    return excludes(gap, ['made-by-client', 'sale-id'], 'the reply to a sale has a reference');
  return isOurSale(record) ? excludes(gap, [choice], 'the reply to a sale has our fields, and no reference') : nothing;
};

/** The status of a record, if the record names it as our choice does. */
const stateOf = (body: unknown) => {
  const { status } = fieldsOf(recordOf(body));
  return isText(status) ? status.toLowerCase() : undefined;
};

/** The sales of a reply, if it names them as our choice does. A report may be a list of them. */
const salesIn = (call: SeenCall): Json[] => {
  const record = recordOf(call.reply.body);
  if (isOn(call, reports)) return listOf(record).map(fieldsOf);
  const { sale: held } = fieldsOf(record);
  return isOn(call, sales, payments) ? [fieldsOf(held ?? (isOn(call, sales) ? record : undefined))] : [];
};

const furtherStates: Recogniser = (call) =>
  isSuccess(call) && salesIn(call).some(({ status }) => /^(cancell?ed|refunded|failed)$/i.test(String(status)))
    ? shows('pos.sale-states', 'further', 'a sale is cancelled, refunded or failed')
    : nothing;

const states: Recogniser = (call) => {
  if (!isSuccess(call)) return nothing;
  const state = stateOf(call.reply.body);
  if (state === undefined) return nothing;
  const { payment_method: method, total } = sentFields(call);
  if (isOn(call, sales) && method === 'mobile_money' && Number(total) > 0) {
    if (state === 'pending') return excludes('pos.sale-states', ['completed-at-once'], 'a mobile-money sale is pending');
    if (state === 'completed') return shows('pos.sale-states', 'completed-at-once', 'a mobile-money sale is completed at once');
  }
  if (isOn(call, payments)) {
    if (state === 'received') return excludes('pos.payment-states', ['pending'], 'a payment is received at once');
    if (state === 'pending') return shows('pos.payment-states', 'pending', 'a payment is pending');
  }
  return nothing;
};

const period: Recogniser = (call) => {
  if (!isOn(call, reports) || !isSuccess(call)) return nothing;
  const gap = 'pos.report-dates-required';
  const { start_date: start, end_date: end } = call.asked.query;
  if (start !== undefined && end !== undefined) return nothing;
  const shown = fieldsOf(fieldsOf(recordOf(call.reply.body)).period);
  const [first, last] = [shown.start_date, shown.end_date].map((day) => Date.parse(String(day)));
  const days = Math.round(((last ?? Number.NaN) - (first ?? Number.NaN)) / 86_400_000) + 1;
  if (start === undefined && end === undefined && Number.isFinite(days)) {
    if (days === 30) return shows(gap, choice, 'a report without dates is of 30 days');
    return shows(gap, days === 1 ? 'current-day' : other, `a report without dates is of ${days} days`);
  }
  return excludes(gap, ['required'], 'a report without a date is answered');
};

export const posReplies: readonly Recogniser[] = [
  envelope,
  statusOf(sales, 'pos.sale-status', ['200']),
  statusOf(payments, 'pos.payment-status', ['200', '202']),
  ...[sale, stock, payment, report, currency, reference, furtherStates, states, period],
];
