import { fieldsOf, type JsonReply } from '../json.ts';
import { type Alternative, type Asked, alternativesOf, type ReplyChange } from './alternative.ts';
import { allowing, body, limitHeaders, messageIn, problemDetails, sequence, status, withoutHeaders } from './changes.ts';
import { both, type Condition, has, isError, isOperation, not, sent, succeeds, wantsJson, when } from './conditions.ts';
import { listOf } from './values.ts';
import { isRequired, messageOf, type WrongIn, wrongValue } from './wrong.ts';

/** Turns a success into a refusal. */
const refused =
  (wrongIn: WrongIn): ReplyChange =>
  (reply, asked) => {
    const details = wrongIn(asked);
    const error = { code: 'invalid_request', message: messageOf(details), details };
    return { status: 400, headers: reply.headers, body: { success: false, error } };
  };

/** What a refusal says of a token that is not in the Authorization header. */
const tokenMessages: Readonly<Record<string, string>> = {
  token_missing: 'The token is missing. Get a token with POST /api/auth.',
  token_malformed: 'The token must be one word. Get a token with POST /api/auth.',
};

function ofTokenAlone(held: unknown): unknown {
  const { error } = fieldsOf(held);
  const message = tokenMessages[String(fieldsOf(error).code)];
  return message === undefined ? held : { ...fieldsOf(held), error: { ...fieldsOf(error), message } };
}

const unknownOperation: ReplyChange = (reply, { operation, path }) => ({
  status: 404,
  headers: reply.headers,
  body: {
    success: false,
    error: {
      code: 'unknown_operation',
      message: `There is no ${operation.split(' ')[0]} ${path}. See /docs for the operations.`,
      details: [],
    },
  },
});

const errorOf = ({ body: held }: JsonReply) => fieldsOf(fieldsOf(held).error);
const linesOf = (asked: Asked) => listOf(sent(asked).items).map(fieldsOf);

const coded =
  (...codes: unknown[]): Condition =>
  (_, reply) =>
    reply.status >= 400 && codes.includes(errorOf(reply).code);
const refuse = (wrongIn: WrongIn, ...conditions: Condition[]) => ({
  reply: when(both(succeeds, ...conditions), refused(wrongIn)),
});
const say = (code: number, ...conditions: Condition[]) => ({ reply: when(both(...conditions), status(code)) });

const sales = isOperation('POST /sales');
const payments = isOperation('POST /payment/mobile');
const repeats: Condition = (asked) => new Set(linesOf(asked).map(({ product_id }) => product_id)).size < linesOf(asked).length;
const lineWith =
  (test: (quantity: number) => boolean): Condition =>
  (asked) =>
    linesOf(asked).some(({ quantity }) => typeof quantity === 'number' && test(quantity));
const brokenQuantities: WrongIn = (asked) =>
  linesOf(asked).flatMap(({ quantity }, at) =>
    Number.isInteger(quantity) ? [] : wrongValue(`items.${at}.quantity`, 'must be a whole number'),
  );
const repeatedProducts: WrongIn = (asked) =>
  linesOf(asked).flatMap(({ product_id }, at, lines) =>
    lines.findIndex((line) => line.product_id === product_id) === at
      ? []
      : wrongValue(`items.${at}.product_id`, 'must not be that of another line'),
  );
const notE164 = (field: string) => () => [
  { field, rule: 'phone', message: 'must be a telephone number with + and the country code, such as +2250700000000' },
];
/** Recommendation E.164: no country code begins with 0, and there are at most 15 digits. */
const e164 = /^\+[1-9]\d{7,14}$/;
const isNotE164 =
  (field: string): Condition =>
  (asked) => {
    const phone = sent(asked)[field];
    return typeof phone === 'string' && !e164.test(phone);
  };
/** Alternatives about the validation of requests. */
const requests = [
  ...alternativesOf('pos.sale-fields-required', {
    'phone-with-mobile-money': refuse(
      () => isRequired('customer_phone'),
      sales,
      (asked) => sent(asked).payment_method === 'mobile_money' && sent(asked).customer_phone === undefined,
    ),
  }),

  ...alternativesOf('pos.amount-bounds', {
    'whole-quantities': refuse(
      brokenQuantities,
      sales,
      lineWith((quantity) => !Number.isInteger(quantity)),
    ),
  }),

  ...alternativesOf('pos.repeated-products', { refused: refuse(repeatedProducts, sales, repeats) }),
  ...alternativesOf('pos.phone-format', {
    'e164-only': [
      refuse(notE164('customer_phone'), sales, isNotE164('customer_phone')),
      refuse(notE164('phone'), payments, isNotE164('phone')),
    ],
  }),

  ...alternativesOf('pos.report-dates-required', {
    required: refuse(
      ({ query }) => isRequired(...['start_date', 'end_date'].filter((name) => query[name] === undefined)),
      isOperation('GET /reports/sales'),
      ({ query }) => query.start_date === undefined || query.end_date === undefined,
    ),
  }),
];

/** Alternatives about refusals because of a sale's state, the stock, a token or a path. */
const moves = [
  ...alternativesOf('pos.auth-path', {
    'beside-only': {
      reply: when(
        both(isOperation('POST /auth'), ({ path }) => path !== '/api/auth'),
        unknownOperation,
      ),
    },
  }),
  ...alternativesOf('pos.token-transport', {
    'own-header': { reply: when(has(401), sequence(withoutHeaders('www-authenticate'), body(ofTokenAlone))) },
  }),
  ...alternativesOf('pos.unknown-method', {
    '405': {
      reply: when(
        both(coded('unknown_operation'), (_, reply) => String(errorOf(reply).message).includes('This path takes')),
        sequence(status(405), allowing),
      ),
    },
  }),
];

const conflicts = coded('idempotency_key_reused', 'already_paid', 'not_mobile_money', 'insufficient_stock');

const statuses = [
  ...alternativesOf('pos.error-conditions', {
    '409-conflicts': say(409, conflicts),
    '422-validation': say(422, has(400), not(conflicts)),
    '400-unknown': say(400, has(404), not(coded('unknown_operation'))),
    '400-credentials': say(400, isOperation('POST /auth'), has(401)),
  }),
  ...alternativesOf('pos.accept-header', {
    '406': {
      reply: when(
        both(succeeds, (asked) => !wantsJson(asked)),
        (reply) => ({
          ...reply,
          status: 406,
          body: {
            success: false,
            error: { code: 'not_acceptable', message: 'Replies are JSON. Send Accept: application/json.', details: [] },
          },
        }),
      ),
    },
  }),
  // 429 is `pos.limit-exceeded`.
  ...alternativesOf('pos.transport-statuses', {
    '400-and-500': say(400, has(413, 415)),
  }),
  ...alternativesOf('pos.limit-exceeded', {
    '403': {
      reply: sequence(withoutHeaders(...limitHeaders), when(has(429), sequence(status(403), withoutHeaders('retry-after')))),
    },
    '429-other-headers': { reply: withoutHeaders(...limitHeaders, 'retry-after') },
  }),
  ...alternativesOf('pos.error-body', {
    'error-text': {
      reply: when(
        isError,
        body((held) => ({ error: messageIn(held) })),
      ),
    },
    'problem-details': { reply: when(isError, problemDetails) },
  }),
];

export const posRefusals: Alternative[] = [...requests, ...moves, ...statuses];
