import { fieldsOf, isRecord } from '../json.ts';
import { type Alternative, alternativesOf, type ReplyChange } from './alternative.ts';
import { body, data, on, payload, status } from './changes.ts';
import { everywhere, mappedValues, only, otherNames, removeEverywhere, renamed, scaled, withFields, without } from './values.ts';

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
    'totals-only': inReply(reports, data(only('store_id', 'currency', 'period', 'totals'))),
    'other-names': otherNamesOf(reports),
  }),
];

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
  ...alternativesOf('pos.payment-methods', { 'one-per-operator': events(oneEachOperator), further: events(furtherMethods) }),
  ...alternativesOf('pos.providers', { 'short-names': events(shortNames), 'other-country': events(anotherCountry) }),
  ...alternativesOf('pos.currency', {
    'smallest-unit': events(inSmallestUnit),
    'one-fixed': {
      ...inReply(all, data(removeEverywhere('currency'))),
      ...events(removeEverywhere('currency')),
    },
  }),
  ...alternativesOf('pos.payment-reference', { 'sale-id': events(everywhere(['reference'], () => saleId)) }),
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

  ...alternativesOf('pos.token-format', {
    rs256: inToken('token', signedWithRs256),
  }),
];

export const posReplies: Alternative[] = [...envelopes, ...values, ...tokens];
