import { eventsOf } from '../../../spec/openapi/operations.ts';
import { everyReply, type Mutation, mutation, withBasic } from './mutation.ts';

const file = (name: string) => `gateway/api/pos/${name}.ts`;
const routes = file('routes');
const schemas = file('schemas');
const errors = file('errors');
const report = file('calls/report');
const plans = 'spec/documents/plans.ts';

/** A field of a request that the provider knows by another name. */
const renamed = (id: string, before: string | RegExp, after: string) =>
  mutation(`${id} has another name`, `pos/${id}`, [schemas, before, after]);

export const posMutations: readonly Mutation[] = [
  mutation('plain HTTP for all machines', 'pos/https-only', [
    'gateway/start/config.ts',
    '!isLoopback(HOST) && TLS_CERT',
    'false && TLS_CERT',
  ]),
  mutation('other paths', 'pos/base-path', [routes, /\/api\/v1\//g, '/v2/']),
  mutation(
    'another path of the token',
    ['pos/auth-path', 'pos/issue-token'],
    [routes, "'/api/auth', 'issueToken'", "'/api/token', 'issueToken'"],
  ),
  mutation('replies that are called HTML', 'pos/json', everyReply("reply.header('content-type', 'text/html; charset=utf-8');")),
  mutation('a token that is no JWT', 'pos/token', [
    file('calls/issue-token'),
    'token: jwt.sign(claims)',
    "token: jwt.sign(claims).replaceAll('.', '')",
  ]),
  mutation(
    'another type of token',
    'pos/token-type',
    [schemas, "z.literal('Bearer')", 'z.string()'],
    [file('calls/issue-token'), "'Bearer' as const", "'Basic'"],
  ),
  mutation('the token in another header', 'pos/token-used', [
    file('identity'),
    "bearerToken(request, 'Get a token with POST /api/auth.')",
    "String(request.headers['x-token'])",
  ]),

  mutation('the token with Basic', 'pos/no-authorization', withBasic),
  mutation('any signature', 'pos/no-authorization', [file('domain/tokens'), 'jwt.verify<Claims>', 'jwt.decode<Claims>']),
  mutation('no signature', 'pos/no-authorization', [
    file('domain/tokens'),
    'return jwt.verify<Claims>(token)',
    "return token.endsWith('.') ? jwt.decode<Claims>(token) : jwt.verify<Claims>(token)",
  ]),
  mutation('tokens of revoked keys', 'pos/no-authorization', [
    file('identity'),
    'where: { account_id: id, revoked_at: null } }',
    'where: { account_id: id } }',
  ]),
  mutation('revoked keys', 'pos/status-401', [file('domain/keys'), 'if (key.revoked_at !== null)', 'if (false)']),

  renamed('api-key', 'api_key: text(200)', 'key: text(200)'),
  renamed('api-secret', 'api_secret: text(200)', 'secret: text(200)'),
  renamed('sale-store', /(saleRequest = z\.strictObject\(\{\s+)store_id/, '$1store'),
  renamed('sale-items', /( {2})items(: z\n {4}\.array\(z\.strictObject)/, '$1lines$2'),
  renamed('sale-payment-method', /payment_method(: z\n {4}\.enum\(paymentMethods\)\n {4}\.describe)/, 'method$1'),
  renamed('sale-customer-phone', 'customer_phone: phone(', 'telephone: phone('),
  renamed('sale-total', 'total: amount(moneyDecimals)', 'sum: amount(moneyDecimals)'),
  renamed('item-product', 'product_id: productId(), quantity', 'product: productId(), quantity'),
  renamed('item-quantity', 'quantity: quantity()', 'number: quantity()'),
  renamed('item-price', 'price: price()', 'unit_price: price()'),
  renamed('payment-amount', 'amount: positiveAmount(moneyDecimals)', 'sum: positiveAmount(moneyDecimals)'),
  renamed('payment-phone', "phone: phone('Telephone", "telephone: phone('Telephone"),
  renamed('payment-provider', /provider(: z\n {4}\.enum\(paymentProviders\)\n {4}\.describe)/, 'operator$1'),
  renamed(
    'payment-reference',
    'reference: text(64)\n    .describe("The sale\'s `reference`',
    'sale: text(64)\n    .describe("The sale\'s `reference`',
  ),
  mutation('a rounded price', 'pos/item-price', [
    file('domain/rows'),
    'price: toText(price)',
    'price: toText(Math.round(price))',
  ]),
  mutation('a rounded quantity', 'pos/item-quantity', [
    file('domain/rows'),
    'quantity: toText(quantity)',
    'quantity: toText(Math.round(quantity))',
  ]),
  mutation('a payment of the whole sale', 'pos/payment-amount', [
    file('calls/pay'),
    'amount: toText(request.amount)',
    "amount: sale?.total ?? '0'",
  ]),
  ...['cash', 'mobile_money'].map((method) =>
    mutation(`every sale by ${method}`, 'pos/sale-payment-method', [
      file('calls/create-sale'),
      '...asked,',
      `...asked, payment_method: '${method}',`,
    ]),
  ),
  mutation('sales without a telephone number', 'pos/sale-customer-phone', [
    file('calls/create-sale'),
    '...asked,',
    '...asked, customer_phone: null,',
  ]),
  mutation('every payment by Orange Money', 'pos/payment-provider', [
    file('calls/pay'),
    'provider: request.provider',
    "provider: 'orange_money'",
  ]),
  mutation('any reference is of a sale', 'pos/payment-reference', [
    file('calls/pay'),
    "const where = reference.startsWith('sale_') ? { id: reference } : { reference };\n  const sale = await tx.get('sales', where, { lock: true });",
    "const [sale] = await tx.list('sales', {});\n  if (!sale) throw new Error('no sale');",
  ]),
  mutation('a sale without lines', 'pos/sale-one-line', [schemas, ".min(1, 'must have at least one line')", '.min(0)']),
  ...['orange_money', 'mtn_momo', 'moov_money'].map((operator) =>
    mutation(`no operator ${operator}`, 'pos/payment-three-operators', [
      schemas,
      /\.enum\(paymentProviders\)\n {4}\.describe/,
      `.enum(paymentProviders.filter((one) => one !== '${operator}'))\n    .describe`,
    ]),
  ),

  mutation('no sale is made', 'pos/create-sale', [routes, "'/api/v1/sales'", "'/api/v1/sale'"]),
  {
    ...mutation('a sale is answered with 200', 'pos/status-201', [
      routes,
      '{ status: 201, data: sale }',
      '{ status: 200, data: sale }',
    ]),
  },
  mutation('no payment is taken', 'pos/pay', [routes, "'/api/v1/payment/mobile'", "'/api/v1/payments/mobile'"]),
  mutation('the inventory of all stores', 'pos/inventory-of-store', [
    file('calls/inventory'),
    'where: { store_id: store.id }, order',
    'where: {}, order',
  ]),
  mutation('a sale leaves the inventory as it is', 'pos/inventory-current', [
    file('domain/stock'),
    '{ quantity: { add }, updated_at',
    "{ quantity: { add: '0' }, updated_at",
  ]),
  mutation('a report on all stores', 'pos/report-of-store', [
    report,
    'const where = { store_id, sold_on',
    'const where = { sold_on',
  ]),
  mutation('a report with the lines of all stores', 'pos/report-of-store', [
    report,
    "summarize('sale_items', { where,",
    "summarize('sale_items', { where: { sold_on: where.sold_on },",
  ]),
  mutation('start_date is ignored', 'pos/report-start', [report, 'gte: period.start_date, ', '']),
  mutation('end_date is ignored', 'pos/report-end', [report, ', lte: period.end_date', '']),
  mutation(
    'dates of any form',
    ['pos/report-start', 'pos/status-400'],
    [schemas, 'isoDate().refine((day) => day >=', 'text(20).refine((day) => true || day >='],
  ),

  mutation('200 is 202', 'pos/status-200', [
    'gateway/http/mount.ts',
    "    scope.addHook('onRequest', admission",
    "    scope.addHook('onSend', async (_request, reply) => {\n      if (reply.statusCode === 200) reply.code(202);\n    });\n    scope.addHook('onRequest', admission",
  ]),
  mutation(
    '400 without a valid token',
    ['pos/no-authorization', 'pos/status-401'],
    [errors, 'unauthorized: 401', 'unauthorized: 400'],
  ),
  mutation('422 for what is not valid', 'pos/status-400', [errors, 'invalid: 400', 'invalid: 422']),
  mutation('410 for what does not exist', 'pos/status-404', [errors, 'not_found: 404', 'not_found: 410']),
  mutation('503 for an unexpected error', 'pos/status-500', [errors, 'internal: 500', 'internal: 503']),

  { ...mutation('Free: 50 calls', 'pos/limit-free', [plans, 'free: 100', 'free: 50']), byState: true },
  mutation('Free: 101 calls', 'pos/limit-free', [plans, 'free: 100', 'free: 101']),
  mutation('windows of 50 seconds', 'pos/limit-minute', [file('api'), 'windowMs: 60_000', 'windowMs: 50_000']),
  mutation('windows of 61 seconds', 'pos/limit-minute', [file('api'), 'windowMs: 60_000', 'windowMs: 61_000']),
  mutation('Pro: 500 calls', 'pos/limit-pro', [plans, 'pro: 1000', 'pro: 500']),
  mutation('Enterprise is limited', 'pos/limit-enterprise', [plans, 'enterprise: null', 'enterprise: 5000']),

  ...Object.keys(eventsOf('pos')).map(
    (type): Mutation => ({
      ...mutation(`${type} has another name`, `pos/${type.replace('.', '-')}`, [
        file('events'),
        `type: '${type}'`,
        `type: '${type}d'`,
      ]),
      byState: true,
    }),
  ),
];
