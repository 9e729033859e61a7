import { type Alternative, type Asked, type JsonReply, otherwise, type ReplyChange } from './alternative.ts';
import { body, headers, inTurn, limitHeaders, problemDetails, status, withoutHeaders } from './changes.ts';
import { asks, both, type Condition, has, isError, not, sent, succeeds, whenever } from './conditions.ts';
import { fieldsOf, listOf } from './values.ts';

/** Point of sale: refusals that would not come, would come for other requests, or would look different. */

const statusOfSuccess: Record<string, number> = { 'POST /sales': 201, 'POST /payment/mobile': 201 };

/** What is refused now would be done. */
const accepted: ReplyChange = (reply, asked) => ({
  status: statusOfSuccess[asked.operation] ?? 200,
  headers: reply.headers,
  body: { success: true, data: {} },
});

/** What is done now would be refused. */
const refused =
  (code: number): ReplyChange =>
  (reply) => ({
    status: code,
    headers: reply.headers,
    body: { success: false, error: { code: 'refused', message: 'What was asked cannot be done.', details: [] } },
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
/** Refused for a field that was not sent. */
const lacks =
  (name: string): Condition =>
  (asked, reply) =>
    sent(asked)[name] === undefined && asked.query[name] === undefined && detailsOf(reply).some(({ field }) => field === name);
/** Refused for this value of a field. */
const refusedFor =
  (name: string, ...values: unknown[]): Condition =>
  (asked, reply) =>
    values.includes(sent(asked)[name]) && detailsOf(reply).some(({ field }) => field === name);

const accept = (...conditions: Condition[]) => ({ reply: whenever(both(...conditions), accepted) });
const refuse = (...conditions: Condition[]) => ({ reply: whenever(both(succeeds, ...conditions), refused(400)) });
const say = (code: number, ...conditions: Condition[]) => ({ reply: whenever(both(...conditions), status(code)) });

const sales = asks('POST /sales');
const payments = asks('POST /payment/mobile');
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

/** What is wrong with a request, and what is not. */
const requests = [
  ...otherwise('pos.sale-fields-required', {
    'customer_phone is required for mobile-money sales.': refuse(
      sales,
      (asked) => sent(asked).payment_method === 'mobile_money' && sent(asked).customer_phone === undefined,
    ),
    'total is optional and computed from the lines.': accept(sales, lacks('total')),
  }),
  ...otherwise('pos.payment-fields-required', {
    'reference is optional, for payments without a sale.': accept(payments, lacks('reference')),
    'phone defaults to the customer_phone of the sale.': accept(payments, lacks('phone')),
  }),
  ...otherwise('pos.payment-methods', {
    'One value for each mobile-money operator, such as orange_money.': accept(
      sales,
      refusedFor('payment_method', 'orange_money', 'mtn_momo', 'moov_money'),
    ),
    'Further values: cheque, bank_transfer, credit.': accept(
      sales,
      refusedFor('payment_method', 'cheque', 'bank_transfer', 'credit'),
    ),
  }),
  ...otherwise('pos.providers', {
    'Short names: orange, mtn, moov.': accept(payments, refusedFor('provider', 'orange', 'mtn', 'moov')),
    'Another country’s operators, such as wave or airtel_money.': accept(
      payments,
      refusedFor('provider', 'wave', 'airtel_money'),
    ),
  }),
  ...otherwise('pos.amount-bounds', {
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
  ...otherwise('pos.sale-total', {
    'total may be lower, the difference being a discount.': accept(coded('sum_of_lines'), totalTooLow),
    'total is trusted as sent.': accept(coded('sum_of_lines')),
  }),
  ...otherwise('pos.repeated-products', { 'A repeated product is refused.': refuse(sales, repeats) }),
  ...otherwise('pos.phone-format', {
    'E.164 only, with + and country code.': [
      refuse(sales, withoutPlus('customer_phone')),
      refuse(payments, withoutPlus('phone')),
    ],
  }),
  ...otherwise('pos.payment-reference', {
    'A reference that the client makes up.': accept(payments, has(404)),
  }),
  ...otherwise('pos.strict-bodies', { 'Surplus fields are ignored.': accept(writes, breaks('unknown_field')) }),
  ...otherwise('pos.strict-queries', { 'They are ignored.': accept(not(writes), breaks('unknown_field')) }),
  ...otherwise('pos.store-id-required', { 'Without it, all stores of the account.': accept(not(writes), lacks('store_id')) }),
  ...otherwise('pos.report-dates-required', {
    'Both are required.': refuse(
      asks('GET /reports/sales'),
      ({ query }) => query.start_date === undefined || query.end_date === undefined,
    ),
  }),
  ...otherwise('pos.idempotency-keys', {
    'None: every POST is a new one.': accept(writes, (_, reply) =>
      detailsOf(reply).some(({ field }) => field === 'idempotency-key'),
    ),
  }),
];

/** What a sale's state, the stock, a token or a path does not allow. */
const moves = [
  ...otherwise('pos.sale-states', {
    'Every sale completes at once; payments are separate.': accept(coded('already_paid', 'not_mobile_money')),
  }),
  ...otherwise('pos.partial-payments', {
    'The amount must equal the total.': refuse(payments, paysAPart),
    'An overpayment is kept as change.': accept(coded('amount_over_remaining')),
  }),
  ...otherwise('pos.insufficient-stock', {
    'The sale is accepted and stock becomes negative.': accept(coded('insufficient_stock')),
    'Only the lines in stock are sold.': accept(coded('insufficient_stock')),
  }),
  ...otherwise('pos.auth-path', {
    'Only /api/auth.': {
      reply: whenever(
        both(asks('POST /auth'), ({ path }) => path !== '/api/auth'),
        refused(404),
      ),
    },
  }),
  ...otherwise('pos.token-endpoints', { 'GET /inventory is open.': accept(asks('GET /inventory'), has(401)) }),
  ...otherwise('pos.token-transport', {
    'A header of its own, such as X-API-Token.': { reply: whenever(has(401), withoutHeaders('www-authenticate')) },
  }),
  ...otherwise('pos.unknown-method', {
    '405 with the header Allow.': {
      reply: whenever(
        both(coded('unknown_operation'), (_, reply) => String(errorOf(reply).message).includes('This path takes')),
        inTurn(
          status(405),
          headers((before) => ({ ...before, allow: 'GET, POST' })),
        ),
      ),
    },
  }),
  ...otherwise('pos.body-size', {
    '1 MB.': accept(has(413)),
    'No limit.': accept(has(413)),
  }),
];

const conflicts = coded('idempotency_key_reused', 'already_paid', 'not_mobile_money', 'insufficient_stock');

const statuses = [
  ...otherwise('pos.error-conditions', {
    '409 for a reused key, a completed sale or too little stock.': say(409, conflicts),
    '422 for validation.': say(422, has(400), not(conflicts)),
    '400 where a body or query names an unknown store, product or sale.': say(400, has(404), not(coded('unknown_operation'))),
    '400 for wrong credentials.': say(400, asks('POST /auth'), has(401)),
  }),
  // 429 is `pos.limit-exceeded`.
  ...otherwise('pos.transport-statuses', {
    '400 and 500 in their place.': say(400, has(413, 415)),
  }),
  ...otherwise('pos.limit-exceeded', {
    '403.': {
      reply: inTurn(withoutHeaders(...limitHeaders), whenever(has(429), inTurn(status(403), withoutHeaders('retry-after')))),
    },
    'The call is delayed.': { reply: inTurn(withoutHeaders(...limitHeaders), whenever(has(429), accepted)) },
    '429 with other headers, or none.': { reply: withoutHeaders(...limitHeaders, 'retry-after') },
  }),
  ...otherwise('pos.error-body', {
    '{ "error": "text" }': {
      reply: whenever(
        isError,
        body(() => ({ error: 'What was asked cannot be done.' })),
      ),
    },
    'RFC 9457 problem details.': { reply: whenever(isError, problemDetails) },
  }),
];

export const posRefusals: Alternative[] = [...requests, ...moves, ...statuses];
