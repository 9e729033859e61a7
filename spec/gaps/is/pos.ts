import { isDeepStrictEqual } from 'node:util';
import Big from 'big.js';
import { fieldsOf, type Json, type JsonReply } from '../../json.ts';
import { sentOtherwise, valuesIn } from './both.ts';
import { body, data, messageIn, on, payload, sequence, withoutHeaders } from './changes.ts';
import { both, type Condition, has, isError, isOperation, sent, when } from './conditions.ts';
import type { Asked, Detail, Is, ReplyChange, RequestChange } from './is.ts';
import { everywhere, listOf, mappedValues, only, renamed, scaled, textsIn, withFields, without } from './values.ts';
import { isRequired, messageOf, notTaken, ownWords, type WrongIn, wrong, wrongValue } from './wrong.ts';

/** What alternatives of point of sale do. */

export const sales = 'POST /sales';
export const payments = 'POST /payment/mobile';
export const inventory = 'GET /inventory';
export const reports = 'GET /reports/sales';
export const token = 'POST /auth';
export const all = [sales, payments, inventory, reports];

const isText = (value: unknown): value is string => typeof value === 'string';
const linesOf = (asked: Asked) => listOf(sent(asked).items).map(fieldsOf);

const errorOf = ({ body: held }: JsonReply) => fieldsOf(fieldsOf(held).error);
export const coded =
  (...codes: unknown[]): Condition =>
  (_, reply) =>
    reply.status >= 400 && codes.includes(errorOf(reply).code);
export const conflicts = coded('idempotency_key_reused', 'already_paid', 'not_mobile_money', 'insufficient_stock');

export const transactionOnly = (payment: unknown) => renamed('id', 'transaction_id')(only('id', 'status')(payment));

/** Pages of this length are short enough for demo data to have several. */
const pageLength = 2;
const pageOf = ({ query }: Asked) => (/^[1-9]\d{0,5}$/.test(query.page ?? '') ? Number(query.page) : 1);

export const pagesOfInventory: Is = {
  at: 'names',
  request: ({ operation, query: { page, ...query } }) => (operation === inventory && page !== undefined ? { query } : {}),
  reply: on(inventory, (reply, asked) =>
    data(
      withFields(({ items }) => {
        const first = (pageOf(asked) - 1) * pageLength;
        return { items: listOf(items).slice(first, first + pageLength), page: pageOf(asked), total: listOf(items).length };
      }),
    )(reply, asked),
  ),
};

export const onlyBesideBase: RequestChange = ({ operation, path }) =>
  operation !== token || path === '/api/auth'
    ? undefined
    : {
        status: 404,
        code: 'unknown_operation',
        details: [],
        message: `There is no ${operation.split(' ')[0]} ${path}. See /docs for the operations.`,
      };

export const missingDates: WrongIn = ({ query }) =>
  isRequired(...['start_date', 'end_date'].filter((name) => query[name] === undefined));

/** What a refusal says of a token that is not in the Authorization header. */
const ofTokenAlone = (held: unknown) =>
  textsIn(held, (text) => text.replace('Authorization header', 'token').replace('"Bearer", one space and the token', 'one word'));

export const tokenInOwnHeader: Is = {
  at: 'transport',
  token: (_, { 'x-api-token': own }) => (isText(own) ? `Bearer ${own}` : undefined),
  reply: when(has(401), sequence(withoutHeaders('www-authenticate'), body(ofTokenAlone))),
};

export const inToken = (name: string, change: (value: unknown) => unknown): ReplyChange =>
  on(token, body(withFields((held) => ({ [name]: change(held[name]) }))));

/** Reads a token that was not issued as a JWT. A token of before the alternative stays valid. */
const tokensRead =
  (read: (token: string) => string): Is['token'] =>
  (authorization) =>
    authorization?.replace(/^(Bearer +)(\S+)$/i, (_, scheme: string, one: string) => `${scheme}${read(one)}`);

const headOf = (algorithm: string) => Buffer.from(JSON.stringify({ alg: algorithm, typ: 'JWT' })).toString('base64url');

export const rs256Tokens: Is = {
  at: 'values',
  token: tokensRead((one) => one.replace(`${headOf('RS256')}.`, `${headOf('HS256')}.`)),
  reply: inToken('token', (jwt) => (isText(jwt) ? jwt.replace(/^[^.]*/, headOf('RS256')) : jwt)),
};

const reversedText = (text: string) => [...text].reverse().join('');

export const randomTokens: Is = {
  at: 'values',
  // A JWT begins so, whatever it says.
  token: tokensRead((one) => (one.startsWith('eyJ') ? one : reversedText(one))),
  reply: inToken('token', (jwt) => (isText(jwt) ? reversedText(jwt) : jwt)),
};

export const withoutKeys: RequestChange = ({ headers: { 'idempotency-key': key, ...headers } }) =>
  key === undefined ? {} : { headers };

export const errorText: ReplyChange = when(
  isError,
  body((held) => ({ error: messageIn(held) })),
);

export const phoneWithMobileMoney: WrongIn = (asked) =>
  sent(asked).payment_method === 'mobile_money' && sent(asked).customer_phone === undefined ? isRequired('customer_phone') : [];

const notWhole = (fields: Json) =>
  Object.entries(fields).flatMap(([field, value]) =>
    typeof value === 'number' && !Number.isInteger(value) ? wrongValue(field, 'must be a whole number') : [],
  );
const inLines = (asked: Asked, name: string): Json =>
  Object.fromEntries(linesOf(asked).map((line, at) => [`items.${at}.${name}`, line[name]]));

export const brokenQuantities: WrongIn = (asked) => notWhole(inLines(asked, 'quantity'));

export const repeatedProducts: WrongIn = (asked) =>
  linesOf(asked).flatMap(({ product_id }, at, lines) =>
    lines.findIndex((line) => line.product_id === product_id) === at
      ? []
      : wrongValue(`items.${at}.product_id`, 'must not be that of another line'),
  );

/** Adds up the quantities of lines that have one product and one price. */
export const mergedLines: Is = {
  at: 'validation',
  request: ({ operation }) =>
    operation === sales ? { afterValidation: ({ items, ...others }) => ({ ...others, items: merged(listOf(items)) }) } : {},
};

function merged(items: unknown[]): Json[] {
  const groups = Map.groupBy(items.map(fieldsOf), ({ product_id, price }) => JSON.stringify([product_id, price]));
  return [...groups.values()].map((lines) => {
    const quantity = lines.reduce((sum, line) => sum.plus(Number(line.quantity)), new Big(0));
    return { ...lines[0], quantity: quantity.toNumber() };
  });
}

/** Recommendation E.164: no country code begins with 0, and there are at most 15 digits. */
const e164 = /^\+[1-9]\d{7,14}$/;

export const notE164 =
  (field: string): WrongIn =>
  (asked) => {
    const phone = sent(asked)[field];
    const message = 'must be a telephone number with + and the country code, such as +2250700000000';
    return isText(phone) && !e164.test(phone) ? [{ field, rule: 'phone', message }] : [];
  };

export const computedTotal = sentOtherwise(sales, ({ items, total: sentTotal }) => {
  const lines = listOf(items).map(fieldsOf);
  const isComputable = lines.every(({ quantity, price }) => [quantity, price].every(Number.isFinite));
  if (sentTotal !== undefined || !isComputable) return undefined;
  const amounts = lines.map(({ quantity, price }) => new Big(Number(quantity)).times(Number(price)));
  return { total: amounts.reduce((sum, amount) => sum.plus(amount), new Big(0)).toNumber() };
});

/** A payment without a reference is for no sale. */
export const optionalReference = sentOtherwise(payments, ({ reference }) =>
  reference === undefined ? { reference: 'none' } : undefined,
);

/** Calls the operators otherwise. `words`: the reference's by the service's. */
export const providers = (words: Readonly<Record<string, string>>): Is => {
  const own = Object.fromEntries(Object.entries(words).map(([word, reference]) => [reference, word]));
  return {
    ...valuesIn(payments, everywhere(['provider'], mappedValues(own))),
    request(asked) {
      const { provider } = sent(asked);
      if (asked.operation !== payments || !isText(provider)) return {};
      if (!Object.hasOwn(words, provider)) return notTaken(400, 'provider', provider, Object.keys(words));
      return { body: { ...sent(asked), provider: words[provider] } };
    },
  };
};

/** The methods of payment that a service may have beside ours. */
export const furtherMethods: readonly string[] = ['cheque', 'bank_transfer', 'credit'];

export const methods = (...words: string[]): Is =>
  ownWords([sales], 'payment_method', 'cash', (value) =>
    words.includes(value) ? undefined : notTaken(400, 'payment_method', value, words),
  );

export const methodByOperator = valuesIn(reports, everywhere(['payment_method'], mappedValues({ mobile_money: 'orange_money' })));

const inCents = everywhere(['price', 'amount', 'total', 'paid', 'remaining'], scaled(100));

/** The rules whose reasons name amounts, which are in the reference's whole units, with reasons that name none. */
const reasons: Readonly<Record<string, string>> = {
  sum_of_lines: 'is not what the lines add up to',
  amount_over_remaining: 'is more than remains to be paid',
  too_big: 'is too large',
};

function withoutAmounts(error: Json): Json {
  const given = listOf(error.details) as Detail[];
  const details = given.map((one) => ({ ...one, message: reasons[one.rule] ?? one.message }));
  return isDeepStrictEqual(details, given) ? error : { ...error, details, message: messageOf(details) };
}

/** Amounts of requests and replies are whole cents. The reference stores whole units. */
export const smallestUnit: Is = {
  at: 'values',
  request(asked) {
    if (![sales, payments].includes(asked.operation)) return {};
    const { total, amount } = sent(asked);
    const broken = notWhole({ total, amount, ...inLines(asked, 'price') });
    if (broken.length > 0) return wrong(400, broken);
    return { body: everywhere(['price', 'amount', 'total'], scaled(0.01))(sent(asked)) };
  },
  reply: sequence(
    on(all, data(inCents)),
    when(
      both(isError, isOperation(sales, payments)),
      body(withFields(({ error }) => ({ error: withoutAmounts(fieldsOf(error)) }))),
    ),
  ),
  message: payload(inCents),
};

const withoutReference = (record: unknown) => without(fieldsOf(record), 'reference');

/** An event about a sale or payment, which has ids beside its references. */
function withoutReferences(value: unknown): unknown {
  const { sale, ...others } = withoutReference(value);
  return sale === undefined ? others : { ...others, sale: withoutReference(sale) };
}

/** The id by which the reference looks for a sale. A text that is no id becomes one that no sale has. */
const idOf = (reference: unknown) => (isText(reference) && !reference.startsWith('sale_') ? `sale_${reference}` : reference);

/** Sales have no reference, and the reply to a payment names what was sent. */
export const idAsReference: Is = {
  at: 'values',
  request: ({ operation }) =>
    operation === payments ? { afterValidation: (fields) => ({ ...fields, reference: idOf(fields.reference) }) } : {},
  reply: sequence(
    when(both(isError, isOperation(payments)), (reply, asked) => {
      const { reference } = sent(asked);
      return isText(reference)
        ? body((held) => textsIn(held, (text) => text.replaceAll(String(idOf(reference)), reference)))(reply, asked)
        : reply;
    }),
    on(sales, data(withoutReference)),
    on(
      payments,
      data((held, asked) => everywhere(['reference'], () => asked && sent(asked).reference)(held)),
    ),
  ),
  message: payload(withoutReferences),
};

export const isSignature = (name: string): boolean => name === 'x-service-signature' || name.startsWith('webhook-');

export const startAndEnd = (held: unknown): Json => {
  const { store_id, synchronized_at } = fieldsOf(held);
  return { store_id, started_at: synchronized_at, ended_at: synchronized_at, errors: [] };
};
