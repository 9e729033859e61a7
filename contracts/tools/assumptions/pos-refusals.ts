import { type Alternative, type Asked, alternativesOf, type JsonReply, type ReplyChange } from './alternative.ts';
import { body, headers, limitHeaders, problemDetails, sequence, status, withoutHeaders } from './changes.ts';
import { both, type Condition, has, isError, isOperation, not, sent, succeeds, when } from './conditions.ts';
import { fieldsOf, listOf } from './values.ts';

/** Alternatives for the refusals of the point of sale: accepted, added or different refusals. */

const statusOfSuccess: Record<string, number> = { 'POST /sales': 201, 'POST /payment/mobile': 201 };

/** Turns a refusal into a success. */
const accepted: ReplyChange = (reply, asked) => ({
  status: statusOfSuccess[asked.operation] ?? 200,
  headers: reply.headers,
  body: { success: true, data: {} },
});

/** Turns a success into a refusal. */
const refused =
  (code: number): ReplyChange =>
  (reply) => ({
    status: code,
    headers: reply.headers,
    body: { success: false, error: { code: 'refused', message: 'The request cannot be processed.', details: [] } },
  });

const errorOf = ({ body: held }: JsonReply) => fieldsOf(fieldsOf(held).error);
const detailsOf = (reply: JsonReply) => listOf(errorOf(reply).details).map(fieldsOf);
const linesOf = (asked: Asked) => listOf(sent(asked).items).map(fieldsOf);

const coded =
  (...codes: unknown[]): Condition =>
  (_, reply) =>
    reply.status >= 400 && codes.includes(errorOf(reply).code);
const writes: Condition = ({ operation }) => operation.startsWith('POST');
const breaks =
  (rule: string): Condition =>
  (_, reply) =>
    detailsOf(reply).some((detail) => detail.rule === rule);
/** True if the reply rejects a missing field. */
const lacks =
  (name: string): Condition =>
  (asked, reply) =>
    sent(asked)[name] === undefined && asked.query[name] === undefined && detailsOf(reply).some(({ field }) => field === name);
/** True if the reply rejects this field's value. */
const refusedFor =
  (name: string, ...values: unknown[]): Condition =>
  (asked, reply) =>
    values.includes(sent(asked)[name]) && detailsOf(reply).some(({ field }) => field === name);

const accept = (...conditions: Condition[]) => ({ reply: when(both(...conditions), accepted) });
const refuse = (...conditions: Condition[]) => ({ reply: when(both(succeeds, ...conditions), refused(400)) });
const say = (code: number, ...conditions: Condition[]) => ({ reply: when(both(...conditions), status(code)) });

const sales = isOperation('POST /sales');
const payments = isOperation('POST /payment/mobile');
const repeats: Condition = (asked) => new Set(linesOf(asked).map(({ product_id }) => product_id)).size < linesOf(asked).length;
const lineWith =
  (test: (quantity: number) => boolean): Condition =>
  (asked) =>
    linesOf(asked).some(({ quantity }) => typeof quantity === 'number' && test(quantity));
const withoutPlus =
  (field: string): Condition =>
  (asked) => {
    const phone = sent(asked)[field];
    return typeof phone === 'string' && !phone.startsWith('+');
  };
const totalTooLow: Condition = (asked) => {
  const sum = linesOf(asked).reduce((total, { quantity, price }) => total + Number(quantity) * Number(price), 0);
  return Number(sent(asked).total) < sum;
};
const paysAPart: Condition = (_, { body: held }) => {
  const { amount, sale } = fieldsOf(fieldsOf(held).data);
  return Number(amount) < Number(fieldsOf(sale).total);
};

/** Alternatives about the validation of requests. */
const requests = [
  ...alternativesOf('pos.sale-fields-required', {
    'customer_phone is required for mobile-money sales.': refuse(
      sales,
      (asked) => sent(asked).payment_method === 'mobile_money' && sent(asked).customer_phone === undefined,
    ),
    'total is optional and computed from the lines.': accept(sales, lacks('total')),
  }),
  ...alternativesOf('pos.payment-fields-required', {
    'reference is optional, for payments without a sale.': accept(payments, lacks('reference')),
    'phone defaults to the customer_phone of the sale.': accept(payments, lacks('phone')),
  }),
  ...alternativesOf('pos.payment-methods', {
    'One value for each mobile-money operator, such as orange_money.': accept(
      sales,
      refusedFor('payment_method', 'orange_money', 'mtn_momo', 'moov_money'),
    ),
    'Further values: cheque, bank_transfer, credit.': accept(
      sales,
      refusedFor('payment_method', 'cheque', 'bank_transfer', 'credit'),
    ),
  }),
  ...alternativesOf('pos.providers', {
    'Short names: orange, mtn, moov.': accept(payments, refusedFor('provider', 'orange', 'mtn', 'moov')),
    'Another country’s operators, such as wave or airtel_money.': accept(
      payments,
      refusedFor('provider', 'wave', 'airtel_money'),
    ),
  }),
  ...alternativesOf('pos.amount-bounds', {
    'Whole quantities only.': refuse(
      sales,
      lineWith((quantity) => !Number.isInteger(quantity)),
    ),
    'Negative quantities for goods returned.': accept(
      sales,
      isError,
      coded('invalid_request'),
      lineWith((quantity) => quantity < 0),
    ),
  }),
  ...alternativesOf('pos.sale-total', {
    'total may be lower, the difference being a discount.': accept(coded('sum_of_lines'), totalTooLow),
    'total is trusted as sent.': accept(coded('sum_of_lines')),
  }),
  ...alternativesOf('pos.repeated-products', { 'A repeated product is refused.': refuse(sales, repeats) }),
  ...alternativesOf('pos.phone-format', {
    'E.164 only, with + and country code.': [
      refuse(sales, withoutPlus('customer_phone')),
      refuse(payments, withoutPlus('phone')),
    ],
  }),
  ...alternativesOf('pos.payment-reference', {
    'A reference that the client makes up.': accept(payments, has(404)),
  }),
  ...alternativesOf('pos.strict-bodies', { 'Surplus fields are ignored.': accept(writes, breaks('unknown_field')) }),
  ...alternativesOf('pos.strict-queries', { 'They are ignored.': accept(not(writes), breaks('unknown_field')) }),
  ...alternativesOf('pos.store-id-required', {
    'Without it, all stores of the account.': accept(not(writes), lacks('store_id')),
  }),
  ...alternativesOf('pos.report-dates-required', {
    'Both are required.': refuse(
      isOperation('GET /reports/sales'),
      ({ query }) => query.start_date === undefined || query.end_date === undefined,
    ),
  }),
  ...alternativesOf('pos.idempotency-keys', {
    'None: every POST is a new one.': accept(writes, (_, reply) =>
      detailsOf(reply).some(({ field }) => field === 'idempotency-key'),
    ),
  }),
];

/** Alternatives about refusals because of a sale's state, the stock, a token or a path. */
const moves = [
  ...alternativesOf('pos.sale-states', {
    'Every sale completes at once; payments are separate.': accept(coded('already_paid', 'not_mobile_money')),
  }),
  ...alternativesOf('pos.partial-payments', {
    'The amount must equal the total.': refuse(payments, paysAPart),
    'An overpayment is kept as change.': accept(coded('amount_over_remaining')),
  }),
  ...alternativesOf('pos.insufficient-stock', {
    'The sale is accepted and stock becomes negative.': accept(coded('insufficient_stock')),
    'Only the lines in stock are sold.': accept(coded('insufficient_stock')),
  }),
  ...alternativesOf('pos.auth-path', {
    'Only /api/auth.': {
      reply: when(
        both(isOperation('POST /auth'), ({ path }) => path !== '/api/auth'),
        refused(404),
      ),
    },
  }),
  ...alternativesOf('pos.token-endpoints', { 'GET /inventory is open.': accept(isOperation('GET /inventory'), has(401)) }),
  ...alternativesOf('pos.token-transport', {
    'A header of its own, such as X-API-Token.': { reply: when(has(401), withoutHeaders('www-authenticate')) },
  }),
  ...alternativesOf('pos.unknown-method', {
    '405 with the header Allow.': {
      reply: when(
        both(coded('unknown_operation'), (_, reply) => String(errorOf(reply).message).includes('This path takes')),
        sequence(
          status(405),
          headers((before) => ({ ...before, allow: 'GET, POST' })),
        ),
      ),
    },
  }),
  ...alternativesOf('pos.body-size', {
    '1 MB.': accept(has(413)),
    'No limit.': accept(has(413)),
  }),
];

const conflicts = coded('idempotency_key_reused', 'already_paid', 'not_mobile_money', 'insufficient_stock');

const statuses = [
  ...alternativesOf('pos.error-conditions', {
    '409 for a reused key, a completed sale or too little stock.': say(409, conflicts),
    '422 for validation.': say(422, has(400), not(conflicts)),
    '400 where a body or query names an unknown store, product or sale.': say(400, has(404), not(coded('unknown_operation'))),
    '400 for wrong credentials.': say(400, isOperation('POST /auth'), has(401)),
  }),
  // 429 is `pos.limit-exceeded`.
  ...alternativesOf('pos.transport-statuses', {
    '400 and 500 in their place.': say(400, has(413, 415)),
  }),
  ...alternativesOf('pos.limit-exceeded', {
    '403.': {
      reply: sequence(withoutHeaders(...limitHeaders), when(has(429), sequence(status(403), withoutHeaders('retry-after')))),
    },
    'The call is delayed.': { reply: sequence(withoutHeaders(...limitHeaders), when(has(429), accepted)) },
    '429 with other headers, or none.': { reply: withoutHeaders(...limitHeaders, 'retry-after') },
  }),
  ...alternativesOf('pos.error-body', {
    '{ "error": "text" }': {
      reply: when(
        isError,
        body(() => ({ error: 'The request cannot be processed.' })),
      ),
    },
    'RFC 9457 problem details.': { reply: when(isError, problemDetails) },
  }),
];

export const posRefusals: Alternative[] = [...requests, ...moves, ...statuses];
