import { MatchersV3 } from '@pact-foundation/pact';
import { expect, test } from 'vitest';
import { ask, type Exchange, each, exchangeOn, type Operation } from './ask.ts';
import { obtainToken } from './clients/pos-token.ts';
import { type MobilePayment, type Sale, Till } from './clients/till.ts';
import { openPact } from './pact.ts';
import {
  anAccessToken,
  aStore,
  askForToken,
  credentials,
  inData,
  invalidTokens,
  noStore,
  reasons,
  statusFor,
  storeId,
  tokenNeeded,
  tokenPath,
  tokenSent,
  unknownStoreId,
  validCredentials,
  withToken,
} from './pos.ts';
import { bearer, exampleToken, fromState, json, statusOf, success } from './shapes.ts';

const { equal } = MatchersV3;

const pact = openPact({ consumer: 'till', provider: 'pos', interactions: 36 });
const exchange = exchangeOn(pact, (root, token) => new Till(root, token));

test.each<Exchange<string>>([
  validCredentials,
  {
    ...askForToken,
    description: 'credentials with a wrong secret',
    gaps: { ...tokenPath, ...statusFor(401, 'wrong credentials') },
    holding: ['pos/status-401'],
    body: { ...askForToken.body, api_secret: 'wrong' },
    status: 401,
    call: (root) => obtainToken(root, { ...credentials, api_secret: 'wrong' }),
  },
  {
    ...askForToken,
    description: 'credentials of a revoked key',
    states: [['an account with an API key', { revoked: true }]],
    gaps: { ...tokenPath, ...statusFor(401, 'a revoked key') },
    holding: ['pos/status-401'],
    status: 401,
  },
  {
    ...askForToken,
    description: 'credentials with an empty secret',
    gaps: { ...tokenPath, ...statusFor(400, 'an empty api_secret') },
    holding: ['pos/status-400'],
    body: { ...askForToken.body, api_secret: '' },
    status: 400,
    call: (root) => obtainToken(root, { ...credentials, api_secret: '' }),
  },
])(
  'a token for $description',
  exchangeOn(pact, (root) => root),
);

const cashSale: Sale = {
  store_id: storeId,
  items: [
    { product_id: 'PROD-1', quantity: 2, price: 4500 },
    { product_id: 'PROD-2', quantity: 1, price: 1200 },
  ],
  payment_method: 'cash',
  total: 10_200,
};
const mobileSale: Sale = { ...cashSale, payment_method: 'mobile_money', customer_phone: '+2250700000000' };
const cash = { 'pos.payment-methods': 'payment_method cash', 'pos.sale-fields-required': 'customer_phone is left out' };
const mobileMoney = { 'pos.payment-methods': 'payment_method mobile_money' };
const selling = { method: 'POST', path: '/api/v1/sales', headers: withToken } as const;

/** A sale in a store that a state returned. */
const saleOf = (sale: Sale) => ({
  ...selling,
  states: [anAccessToken, aStore],
  gaps: { ...tokenSent, ...(sale.payment_method === 'cash' ? cash : mobileMoney) },
  body: { ...sale, store_id: fromState('store_id', sale.store_id) },
  call: (client: Till) => client.sell(sale),
});

const saleFields = [
  'pos/sale-store',
  'pos/sale-items',
  'pos/sale-payment-method',
  'pos/sale-total',
  'pos/item-product',
  'pos/item-quantity',
  'pos/item-price',
];
const saleMade = [...saleFields, 'pos/create-sale', 'pos/base-path', 'pos/token-used', 'pos/json'];

/** The document shows no fields of the reply to a sale, so what was sold rests on a gap. */
function answeredAsSent(sale: Sale, description: string): Exchange<Till> {
  const sent: Sale = { ...sale, items: [{ product_id: 'PROD-1', quantity: 1.5, price: 4500.5 }], total: 6750.75 };
  const { items, total, payment_method, customer_phone } = sent;
  const { gaps, ...selling } = saleOf(sent);
  return {
    ...selling,
    description,
    gaps: {
      ...gaps,
      ...inData,
      'pos.sale-response': 'the fields of the sale',
      'pos.item-price': 'the price need not be that of the catalogue',
      'pos.amount-bounds': 'a quantity and a price with decimals',
    },
    holding: customer_phone ? [...saleFields, 'pos/sale-customer-phone'] : saleFields,
    status: success(201),
    shown: {
      data: {
        store_id: equal(storeId),
        items: items.map(({ product_id, quantity, price }) => ({
          product_id: equal(product_id),
          quantity: equal(quantity),
          price: equal(price),
        })),
        payment_method: equal(payment_method),
        ...(customer_phone && { customer_phone: equal(customer_phone) }),
        total: equal(total),
      },
    },
    isUnread: true,
  };
}

const notSold = (sale: Sale, status: number, condition: string): Exchange<Till> => {
  const { gaps, ...selling } = saleOf(sale);
  return { ...selling, description: condition, gaps: { ...gaps, ...statusFor(status, condition) }, status };
};

test.each<Exchange<Till>>([
  {
    ...saleOf(cashSale),
    description: 'a cash sale without a telephone number',
    holding: saleMade,
    status: success(201),
  },
  {
    ...saleOf(mobileSale),
    description: 'a mobile-money sale',
    holding: [...saleMade, 'pos/sale-customer-phone'],
    status: success(201),
  },
  answeredAsSent(mobileSale, 'a sale of one and a half bags at 4500.5'),
  answeredAsSent(cashSale, 'a cash sale of one and a half bags at 4500.5'),
  {
    ...notSold({ ...mobileSale, items: [], total: 0 }, 400, 'a sale without lines'),
    holding: ['pos/sale-one-line', 'pos/status-400'],
  },
  {
    ...notSold({ ...mobileSale, store_id: unknownStoreId }, 404, 'an unknown store'),
    description: 'a sale in an unknown store',
    states: [anAccessToken, noStore],
    holding: ['pos/status-404'],
  },
])('$description', exchange);

const reading = { method: 'GET', path: '/api/v1/inventory', headers: withToken } as const;

/** The inventory of a store that a state returned. */
const inventoryOf = (store: string) => ({
  ...reading,
  states: [anAccessToken, aStore],
  gaps: tokenSent,
  query: { store_id: fromState('store_id', store) },
  status: 200,
  call: (client: Till) => client.inventory(store),
});

/** The document shows no fields of the inventory, so its contents rest on a gap. */
const stockOf = (quantities: Readonly<Record<string, number>>) => ({
  ...inventoryOf(storeId),
  gaps: { ...tokenSent, ...inData, 'pos.inventory-response': 'the fields of data and of its items' },
  shown: {
    data: {
      items: Object.entries(quantities).map(([product_id, quantity]) => ({
        product_id: equal(product_id),
        quantity: equal(quantity),
      })),
    },
  },
  call: async (client: Till) => JSON.parse(await client.inventory(storeId)),
});

test.each<Exchange<Till>>([
  {
    ...inventoryOf(storeId),
    description: 'the inventory of a store',
    holding: ['pos/status-200', 'pos/base-path', 'pos/token-used', 'pos/json'],
  },
  {
    ...stockOf({ 'PROD-1': 100, 'PROD-2': 50 }),
    description: 'the inventory of one of two stores',
    holding: ['pos/inventory-of-store'],
  },
  {
    ...stockOf({ 'PROD-1': 99, 'PROD-2': 50 }),
    description: 'the inventory after a sale',
    states: [anAccessToken, ['a paid sale', { store_id: storeId }]],
    holding: ['pos/inventory-current'],
  },
  {
    ...inventoryOf(''),
    description: 'the inventory of no store',
    states: [anAccessToken],
    gaps: {
      ...tokenSent,
      ...statusFor(400, 'an empty store_id'),
      'pos.check-order': 'an empty store_id is refused before the store is looked for',
    },
    holding: ['pos/status-400'],
    query: { store_id: '' },
    status: 400,
  },
  {
    ...inventoryOf(unknownStoreId),
    description: 'the inventory of an unknown store',
    states: [anAccessToken, noStore],
    gaps: { ...tokenSent, ...statusFor(404, 'an unknown store') },
    holding: ['pos/status-404'],
    status: 404,
  },
])('$description', exchange);

const payment: MobilePayment = {
  amount: 9000,
  phone: '+2250700000000',
  provider: 'orange_money',
  reference: 'S-20261121-7K3M9Q',
};
const operator = { 'pos.providers': 'provider orange_money' };
const paying = { method: 'POST', path: '/api/v1/payment/mobile', headers: withToken } as const;
const sold = { store_id: storeId, total: payment.amount };

/** A payment of a sale that a state returned. */
const paymentOf = (sent: MobilePayment) => ({
  ...paying,
  states: [anAccessToken, ['a sale awaiting payment', sold]] as const,
  gaps: {
    ...tokenSent,
    'pos.providers': `provider ${sent.provider}`,
    'pos.payment-reference': 'reference is the one that the service gave the sale',
  },
  body: { ...sent, reference: fromState('reference', sent.reference) },
  status: success(201),
  call: (client: Till) => client.takePayment(sent),
});
const ofWhole = paymentOf(payment);
const ofPart = paymentOf({ ...payment, amount: 2500.5, provider: 'moov_money' });

test.each<Exchange<Till>>([
  {
    ...ofWhole,
    description: 'a payment of a whole sale',
    holding: [
      'pos/pay',
      'pos/payment-amount',
      'pos/payment-phone',
      'pos/payment-provider',
      'pos/payment-reference',
      'pos/payment-three-operators',
      'pos/base-path',
      'pos/token-used',
      'pos/json',
    ],
  },
  ...['mtn_momo', 'moov_money'].map((provider) => ({
    ...paymentOf({ ...payment, provider }),
    description: `a payment by the operator ${provider}`,
    holding: ['pos/payment-three-operators'],
  })),
  // The document shows no fields of the reply to a payment, so what was paid rests on a gap.
  {
    ...ofPart,
    description: 'a payment of a part of a sale',
    gaps: {
      ...ofPart.gaps,
      ...inData,
      'pos.payment-response': 'the fields amount, phone and provider',
      'pos.partial-payments': 'a part of the total is taken',
      'pos.amount-bounds': 'an amount with decimals',
    },
    holding: ['pos/payment-amount', 'pos/payment-phone', 'pos/payment-provider'],
    shown: { data: { amount: equal(2500.5), phone: equal(payment.phone), provider: equal('moov_money') } },
    isUnread: true,
  },
  {
    ...ofWhole,
    description: 'a payment of a sale that is paid',
    states: [anAccessToken, ['a paid sale', sold]],
    gaps: {
      ...ofWhole.gaps,
      ...statusFor(400, 'a sale that is paid'),
      'pos.partial-payments': 'a sale takes no more than its total',
      'pos.sale-states': 'payments complete a mobile-money sale',
    },
    holding: ['pos/status-400'],
    status: 400,
  },
  {
    ...ofWhole,
    description: 'a payment of an unknown sale',
    states: [anAccessToken, ['no sale', { reference: payment.reference }]],
    gaps: {
      ...ofWhole.gaps,
      ...statusFor(404, 'an unknown sale'),
      'pos.payment-reference': 'reference is not of the client’s making',
    },
    holding: ['pos/status-404', 'pos/payment-reference'],
    status: 404,
  },
])('$description', exchange);

const inventory: Operation<Till> = {
  ...reading,
  name: 'the inventory',
  query: { store_id: storeId },
  call: (client) => client.inventory(storeId),
};
const operations: Operation<Till>[] = [
  { ...selling, name: 'a sale', body: mobileSale, gaps: mobileMoney, call: (client) => client.sell(mobileSale) },
  inventory,
  { ...paying, name: 'a payment', body: payment, gaps: operator, call: (client) => client.takePayment(payment) },
];

test.each([...each(operations, reasons), ...each([inventory], invalidTokens)])('$description is refused', exchange);

test('a token that is sent with Basic is refused', () =>
  ask(pact, {
    ...reading,
    headers: { Authorization: bearer.basic },
    description: 'the inventory with a token that is sent with Basic',
    states: [anAccessToken, aStore],
    gaps: tokenNeeded,
    holding: ['pos/no-authorization', 'pos/status-401'],
    query: { store_id: storeId },
  })
    .willRespondWith(401, json)
    .executeTest(async ({ url }) => {
      const inventory = `${url}${reading.path}?store_id=${storeId}`;
      expect(await statusOf(inventory, { Authorization: `Basic ${exampleToken}` })).toBe(401);
    }));
