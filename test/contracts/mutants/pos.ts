import { everyReply, type Mutation, mutations } from './mutation.ts';

/** What each change takes away, by the file that is changed. */
export const posMutations: readonly Mutation[] = mutations('pos', {
  'gateway/api/pos/routes.ts': [
    ['base-path', /\/api\/v1\//g, '/v2/'],
    ['auth-path issue-token', "'/api/auth', 'issueToken'", "'/api/token', 'issueToken'"],
    ['create-sale', "'/api/v1/sales'", "'/api/v1/sale'"],
    ['pay', "'/api/v1/payment/mobile'", "'/api/v1/payments/mobile'"],
  ],
  'gateway/api/pos/calls/issue-token.ts': [['token', 'token: jwt.sign(claims)', "token: jwt.sign(claims).replaceAll('.', '')"]],
  'gateway/api/pos/identity.ts': [
    ['token-used', "bearerToken(request, 'Get a token with POST /api/auth.')", "String(request.headers['x-token'])"],
    ['no-authorization', 'where: { account_id: id, revoked_at: null } }', 'where: { account_id: id } }'],
  ],
  'gateway/api/pos/domain/tokens.ts': [
    ['no-authorization', 'jwt.verify<Claims>', 'jwt.decode<Claims>'],
    [
      'no-authorization',
      'return jwt.verify<Claims>(token)',
      "return token.endsWith('.') ? jwt.decode<Claims>(token) : jwt.verify<Claims>(token)",
    ],
  ],
  'gateway/api/pos/domain/keys.ts': [['status-401', 'if (key.revoked_at !== null)', 'if (false)']],
  'gateway/api/pos/schemas.ts': [
    ['api-key', 'api_key: text(200)', 'key: text(200)'],
    ['api-secret', 'api_secret: text(200)', 'secret: text(200)'],
    ['sale-store', /(saleRequest = z\.strictObject\(\{\s+)store_id/, '$1store'],
    ['sale-items', /( {2})items(: z\n {4}\.array\(z\.strictObject)/, '$1lines$2'],
    ['sale-payment-method', /payment_method(: z\n {4}\.enum\(paymentMethods\)\n {4}\.describe)/, 'method$1'],
    ['sale-customer-phone', 'customer_phone: phone(', 'telephone: phone('],
    ['sale-total', 'total: amount(moneyDecimals)', 'sum: amount(moneyDecimals)'],
    ['item-product', 'product_id: productId(), quantity', 'product: productId(), quantity'],
    ['item-quantity', 'quantity: quantity()', 'number: quantity()'],
    ['item-price', 'price: price()', 'unit_price: price()'],
    ['payment-amount', 'amount: positiveAmount(moneyDecimals)', 'sum: positiveAmount(moneyDecimals)'],
    ['payment-phone', "phone: phone('Telephone", "telephone: phone('Telephone"],
    ['payment-provider', /provider(: z\n {4}\.enum\(paymentProviders\)\n {4}\.describe)/, 'operator$1'],
    [
      'payment-reference',
      'reference: text(64)\n    .describe("The sale\'s `reference`',
      'sale: text(64)\n    .describe("The sale\'s `reference`',
    ],
    ['sale-one-line', ".min(1, 'must have at least one line')", '.min(0)'],
    ...['orange_money', 'mtn_momo', 'moov_money'].map(
      (operator) =>
        [
          'payment-three-operators',
          /\.enum\(paymentProviders\)\n {4}\.describe/,
          `.enum(paymentProviders.filter((one) => one !== '${operator}'))\n    .describe`,
        ] as const,
    ),
    ['report-start status-400', 'isoDate().refine((day) => day >=', 'text(20).refine((day) => true || day >='],
  ],
  'gateway/api/pos/domain/rows.ts': [
    ['item-price', 'price: toText(price)', 'price: toText(Math.round(price))'],
    ['item-quantity', 'quantity: toText(quantity)', 'quantity: toText(Math.round(quantity))'],
  ],
  'gateway/api/pos/calls/pay.ts': [
    ['payment-amount', 'amount: toText(request.amount)', "amount: sale?.total ?? '0'"],
    ['payment-provider', 'provider: request.provider', "provider: 'orange_money'"],
    [
      'payment-reference',
      "const where = reference.startsWith('sale_') ? { id: reference } : { reference };\n  const sale = await tx.get('sales', where, { lock: true });",
      "const [sale] = await tx.list('sales', {});\n  if (!sale) throw new Error('no sale');",
    ],
  ],
  'gateway/api/pos/calls/create-sale.ts': [
    ['sale-payment-method', '...asked,', "...asked, payment_method: 'cash',"],
    ['sale-payment-method', '...asked,', "...asked, payment_method: 'mobile_money',"],
    ['sale-customer-phone', '...asked,', '...asked, customer_phone: null,'],
  ],
  'gateway/api/pos/calls/inventory.ts': [['inventory-of-store', 'where: { store_id: store.id }, order', 'where: {}, order']],
  'gateway/api/pos/domain/stock.ts': [
    ['inventory-current', '{ quantity: { add }, updated_at', "{ quantity: { add: '0' }, updated_at"],
  ],
  'gateway/api/pos/calls/report.ts': [
    ['report-of-store', 'const where = { store_id, sold_on', 'const where = { sold_on'],
    ['report-of-store', "summarize('sale_items', { where,", "summarize('sale_items', { where: { sold_on: where.sold_on },"],
    ['report-start', 'gte: period.start_date, ', ''],
    ['report-end', ', lte: period.end_date', ''],
  ],
  'gateway/api/pos/errors.ts': [
    ['no-authorization status-401', 'unauthorized: 401', 'unauthorized: 400'],
    ['status-400', 'invalid: 400', 'invalid: 422'],
    ['status-404', 'not_found: 404', 'not_found: 410'],
  ],
  'spec/documents/plans.ts': [
    ['limit-free', 'free: 100', 'free: 50', 'state'],
    ['limit-free', 'free: 100', 'free: 101'],
  ],
  'gateway/api/pos/events.ts': [
    ['sale-completed', "type: 'sale.completed'", "type: 'sale.completedd'", 'state'],
    ['payment-received', "type: 'payment.received'", "type: 'payment.receivedd'", 'state'],
    ['inventory-low', "type: 'inventory.low'", "type: 'inventory.lowd'", 'state'],
    ['sync-completed', "type: 'sync.completed'", "type: 'sync.completedd'", 'state'],
  ],
  'gateway/http/bearer.ts': [
    ['no-authorization', "scheme.toLowerCase() !== 'bearer'", "!['bearer', 'basic'].includes(scheme.toLowerCase())"],
  ],
  'gateway/http/mount.ts': [
    everyReply('json', "reply.header('content-type', 'text/html; charset=utf-8');"),
    everyReply('status-200', 'if (reply.statusCode === 200) reply.code(202);'),
    everyReply('token-success', `payload = String(payload).replace('"success":true', '"success":"yes"');`),
    everyReply('token-type', `payload = String(payload).replace('"token_type":"Bearer"', '"token_type":"Basic"');`),
    everyReply('token-lifetime', `payload = String(payload).replace(/"expires_in":(\\d+)/, '"expires_in":"$1"');`),
  ],
});
