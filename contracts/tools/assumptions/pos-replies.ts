import { fieldsOf, isRecord } from '../json.ts';
import { type Alternative, type Asked, alternativesOf, type ReplyChange } from './alternative.ts';
import { body, data, on, payload, status } from './changes.ts';
import { when } from './conditions.ts';
import {
  everywhere,
  listOf,
  mappedValues,
  only,
  otherNames,
  removeEverywhere,
  renamed,
  scaled,
  withFields,
  without,
} from './values.ts';

/** Alternatives for the successful replies of the point of sale. */

const sales = 'POST /sales';
const payments = 'POST /payment/mobile';
const inventory = 'GET /inventory';
const reports = 'GET /reports/sales';
const token = 'POST /auth';
const all = [sales, payments, inventory, reports];

const inReply = (operations: string | readonly string[], change: ReplyChange) => ({ reply: on(operations, change) });
const otherNamesOf = (operation: string) => inReply(operation, data(otherNames));

const envelopes = [
  ...alternativesOf('pos.success-envelope', {
    bare: inReply(
      all,
      body((value) => fieldsOf(value).data),
    ),
    'beside-success': inReply(
      all,
      body((value) => (isRecord(value) ? { ...without(value, 'data'), ...fieldsOf(value.data) } : value)),
    ),
  }),
  ...alternativesOf('pos.sale-response', {
    'id-only': inReply(sales, data(only('id'))),
    'reference-only': inReply(sales, data(only('reference'))),
    'under-sale': inReply(
      sales,
      data((sale) => ({ sale })),
    ),
    'other-names': otherNamesOf(sales),
  }),
  ...alternativesOf('pos.sale-status', { '200': inReply(sales, status(200)) }),
  ...alternativesOf('pos.inventory-response', {
    'bare-array': inReply(
      inventory,
      data((held) => fieldsOf(held).items),
    ),
    pages: inReply(
      inventory,
      data(withFields(({ items }) => ({ items: listOf(items).slice(0, 1), page: 1, total: listOf(items).length }))),
    ),
    'other-names': otherNamesOf(inventory),
  }),
  ...alternativesOf('pos.payment-response', {
    'transaction-id': inReply(
      payments,
      data((payment) => renamed('id', 'transaction_id')(only('id', 'status')(payment))),
    ),
    'other-names': otherNamesOf(payments),
  }),
  ...alternativesOf('pos.payment-status', {
    '200': inReply(payments, status(200)),
    '202': inReply(payments, status(202)),
  }),
  ...alternativesOf('pos.report-response', {
    'single-sales': inReply(
      reports,
      data(() => [{ reference: 'S-20261121-7K3M9Q', total: 4500, created_at: '2026-11-21T08:53:00.000Z' }]),
    ),
    'totals-only': inReply(reports, data(only('store_id', 'currency', 'period', 'totals'))),
    'other-names': otherNamesOf(reports),
  }),
];

const awaitsPayment = ({ states }: Asked) => states.some(({ name }) => name === 'a sale awaiting payment');
const oneDayLater = (day: unknown) =>
  typeof day === 'string' ? new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10) : day;
const withoutPeriod = ({ query }: Asked) => query.start_date === undefined && query.end_date === undefined;

const contents = [
  ...alternativesOf('pos.report-sales', {
    'by-creation': inReply(
      reports,
      when(
        awaitsPayment,
        data(withFields(({ totals }) => ({ totals: withFields(({ sales: sold }) => ({ sales: Number(sold) + 1 }))(totals) }))),
      ),
    ),
    'store-time-zone': inReply(reports, data(everywhere(['date'], oneDayLater))),
  }),
  ...alternativesOf('pos.report-dates-required', {
    'current-day': inReply(
      reports,
      when(
        withoutPeriod,
        data(withFields(({ period }) => ({ period: withFields(({ end_date }) => ({ start_date: end_date }))(period) }))),
      ),
    ),
  }),
  ...alternativesOf('pos.repeated-products', {
    merged: inReply(sales, data(withFields(({ items }) => ({ items: merged(listOf(items)) })))),
  }),
  ...alternativesOf('pos.sale-states', {
    'completed-at-once': [
      inReply(
        sales,
        data(withFields(({ created_at, total }) => ({ status: 'completed', completed_at: created_at, paid: total }))),
      ),
      inReply(payments, data(withFields(({ sale }) => ({ sale: withFields({ status: 'completed' })(sale) })))),
    ],
  }),
  ...alternativesOf('pos.payment-states', {
    pending: inReply(
      payments,
      data(
        withFields(({ sale }) => ({
          status: 'pending',
          sale: withFields(({ total }) => ({ status: 'pending', paid: 0, remaining: total }))(sale),
        })),
      ),
    ),
  }),
];

/** Merges the lines of each product. */
function merged(items: unknown[]): unknown[] {
  const lines = Map.groupBy(items, (item) => fieldsOf(item).product_id);
  const sum = (group: unknown[], field: string) =>
    group.reduce<number>((total, line) => total + Number(fieldsOf(line)[field]), 0);
  return [...lines.values()].map((group) =>
    group.length === 1 ? group[0] : withFields({ quantity: sum(group, 'quantity'), amount: sum(group, 'amount') })(group[0]),
  );
}

const money = ['price', 'amount', 'total', 'paid', 'remaining'];
const saleId = 'sale_019aa5b0c1d27e3f8a4b5c6d7e8f9012';
const inSmallestUnit = everywhere(money, scaled(100));
const shortNames = everywhere(['provider'], mappedValues({ orange_money: 'orange', mtn_momo: 'mtn', moov_money: 'moov' }));
const anotherCountry = everywhere(['provider'], () => 'wave');
const oneEachOperator = everywhere(['payment_method'], mappedValues({ mobile_money: 'orange_money' }));
const furtherMethods = everywhere(['payment_method'], () => 'cheque');
const events = (change: (value: unknown) => unknown) => ({ message: payload(change) });

/** Alternatives for fields that replies and messages share. */
const values = [
  ...alternativesOf('pos.payment-methods', {
    'one-per-operator': {
      ...inReply([sales, reports], data(oneEachOperator)),
      ...events(oneEachOperator),
    },
    further: { ...inReply(reports, data(furtherMethods)), ...events(furtherMethods) },
  }),
  ...alternativesOf('pos.providers', {
    'short-names': { ...inReply(payments, data(shortNames)), ...events(shortNames) },
    'other-country': {
      ...inReply(payments, data(anotherCountry)),
      ...events(anotherCountry),
    },
  }),
  ...alternativesOf('pos.currency', {
    'smallest-unit': {
      ...inReply([inventory, reports], data(inSmallestUnit)),
      ...events(inSmallestUnit),
    },
    'one-fixed': {
      ...inReply(all, data(removeEverywhere('currency'))),
      ...events(removeEverywhere('currency')),
    },
  }),
  ...alternativesOf('pos.payment-reference', {
    'sale-id': [
      inReply(sales, data(removeEverywhere('reference'))),
      { ...inReply(payments, data(everywhere(['reference'], () => saleId))), ...events(everywhere(['reference'], () => saleId)) },
    ],
  }),
];

const inToken = (name: string, change: (value: unknown) => unknown) =>
  inReply(token, body(withFields((held) => ({ [name]: change(held[name]) }))));
const signedWithRs256 = (jwt: unknown) =>
  typeof jwt === 'string' ? jwt.replace(/^[^.]*/, Buffer.from('{"alg":"RS256","typ":"JWT"}').toString('base64url')) : jwt;

const tokens = [
  ...alternativesOf('pos.expires-in-unit', {
    milliseconds: inToken('expires_in', scaled(1000)),
    minutes: inToken('expires_in', scaled(1 / 60)),
  }),
  ...alternativesOf('pos.token-lifetime', { '24-hours': inToken('expires_in', scaled(24)) }),
  ...alternativesOf('pos.token-format', {
    rs256: inToken('token', signedWithRs256),
    random: inToken('token', () => 'k3J.q8w.zT1'),
  }),
];

export const posReplies: Alternative[] = [...envelopes, ...contents, ...values, ...tokens];
