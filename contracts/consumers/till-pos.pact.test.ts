import { MatchersV3 } from '@pact-foundation/pact';
import { describe, expect, test } from 'vitest';
import { ask, askRefused, each, type Operation } from './ask.ts';
import { obtainToken } from './clients/pos-token.ts';
import { type MobilePayment, type Sale, Till } from './clients/till.ts';
import { openPact } from './pact.ts';
import {
  anAccessToken,
  aStore,
  inData,
  invalidTokens,
  noStore,
  reasons,
  statusFor,
  storeId,
  tokenIssued,
  tokenNeeded,
  tokenPath,
  tokenSent,
  unknownStoreId,
  withToken,
} from './pos.ts';
import { bearer, exampleToken, expectRefusal, fromState, json, statusOf, success, tokenReply } from './shapes.ts';

const { equal } = MatchersV3;

const pact = openPact({ consumer: 'till', provider: 'pos', interactions: 36 });
const till = (root: string) => new Till(root, exampleToken);

describe('the token', () => {
  const credentials = { api_key: 'example-key', api_secret: 'example-secret' };
  const api_key = fromState('api_key', credentials.api_key);
  const auth = { method: 'POST', path: '/api/auth', states: [['an account with an API key']] } as const;

  test('is issued for credentials', () =>
    ask(pact, {
      ...auth,
      description: 'valid credentials',
      gaps: tokenPath,
      holding: tokenIssued,
      body: { api_key, api_secret: fromState('api_secret', credentials.api_secret) },
    })
      .willRespondWith(success(200), (reply) => json(reply).jsonBody(tokenReply.shown))
      .executeTest(async ({ url }) => expect(await obtainToken(url, credentials)).toEqual(tokenReply.read)));

  test('is refused for a wrong secret', () => {
    const wrong = { ...credentials, api_secret: 'wrong' };
    const gaps = { ...tokenPath, ...statusFor(401, 'wrong credentials') };
    return ask(pact, {
      ...auth,
      description: 'credentials with a wrong secret',
      gaps,
      holding: ['pos/status-401'],
      body: { ...wrong, api_key },
    })
      .willRespondWith(401, json)
      .executeTest(({ url }) => expectRefusal(obtainToken(url, wrong), 401));
  });

  test('is refused for a revoked key', () =>
    ask(pact, {
      ...auth,
      description: 'credentials of a revoked key',
      states: [['an account with an API key', { revoked: true }]],
      gaps: { ...tokenPath, ...statusFor(401, 'a revoked key') },
      holding: ['pos/status-401'],
      body: { api_key, api_secret: fromState('api_secret', credentials.api_secret) },
    })
      .willRespondWith(401, json)
      .executeTest(({ url }) => expectRefusal(obtainToken(url, credentials), 401)));

  test('is refused for an empty secret', () => {
    const empty = { ...credentials, api_secret: '' };
    const gaps = { ...tokenPath, ...statusFor(400, 'an empty api_secret') };
    return ask(pact, {
      ...auth,
      description: 'credentials with an empty secret',
      gaps,
      holding: ['pos/status-400'],
      body: { ...empty, api_key },
    })
      .willRespondWith(400, json)
      .executeTest(({ url }) => expectRefusal(obtainToken(url, empty), 400));
  });
});

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
const bodyOf = (sale: Sale) => ({ ...sale, store_id: fromState('store_id', sale.store_id) });

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

describe('a sale', () => {
  test.each([
    { description: 'a cash sale without a telephone number', sale: cashSale, method: cash, holding: saleMade },
    {
      description: 'a mobile-money sale',
      sale: mobileSale,
      method: mobileMoney,
      holding: [...saleMade, 'pos/sale-customer-phone'],
    },
  ])('$description is made', ({ description, sale, method, holding }) =>
    ask(pact, {
      ...selling,
      description,
      states: [anAccessToken, aStore],
      gaps: { ...tokenSent, ...method },
      holding,
      body: bodyOf(sale),
    })
      .willRespondWith(success(201), json)
      .executeTest(({ url }) => till(url).sell(sale)),
  );

  // The document shows no fields of the reply to a sale, so what was sold rests on a gap.
  test.each([
    { description: 'a sale of one and a half bags at 4500.5', sale: mobileSale, method: mobileMoney },
    { description: 'a cash sale of one and a half bags at 4500.5', sale: cashSale, method: cash },
  ])('is answered as it was sent: $description', ({ description, sale, method }) => {
    const sent: Sale = { ...sale, items: [{ product_id: 'PROD-1', quantity: 1.5, price: 4500.5 }], total: 6750.75 };
    const { items, total, payment_method, customer_phone } = sent;
    const shown = {
      store_id: equal(storeId),
      items: items.map(({ product_id, quantity, price }) => ({
        product_id: equal(product_id),
        quantity: equal(quantity),
        price: equal(price),
      })),
      payment_method: equal(payment_method),
      ...(customer_phone && { customer_phone: equal(customer_phone) }),
      total: equal(total),
    };
    return ask(pact, {
      ...selling,
      description,
      states: [anAccessToken, aStore],
      gaps: {
        ...tokenSent,
        ...method,
        ...inData,
        'pos.sale-response': 'the fields of the sale',
        'pos.item-price': 'the price need not be that of the catalogue',
        'pos.amount-bounds': 'a quantity and a price with decimals',
      },
      holding: customer_phone ? [...saleFields, 'pos/sale-customer-phone'] : saleFields,
      body: bodyOf(sent),
    })
      .willRespondWith(success(201), (reply) => json(reply).jsonBody({ data: shown }))
      .executeTest(({ url }) => till(url).sell(sent));
  });

  test('without lines is refused', () => {
    const empty = { ...mobileSale, items: [], total: 0 };
    const gaps = { ...tokenSent, ...mobileMoney, ...statusFor(400, 'a sale without lines') };
    const states = [anAccessToken, aStore];
    return ask(pact, {
      ...selling,
      description: 'a sale without lines',
      states,
      gaps,
      holding: ['pos/sale-one-line', 'pos/status-400'],
      body: bodyOf(empty),
    })
      .willRespondWith(400, json)
      .executeTest(({ url }) => expectRefusal(till(url).sell(empty), 400));
  });

  test('in an unknown store is refused', () => {
    const elsewhere = { ...mobileSale, store_id: unknownStoreId };
    const gaps = { ...tokenSent, ...mobileMoney, ...statusFor(404, 'an unknown store') };
    const states = [anAccessToken, noStore];
    return ask(pact, {
      ...selling,
      description: 'a sale in an unknown store',
      states,
      gaps,
      holding: ['pos/status-404'],
      body: bodyOf(elsewhere),
    })
      .willRespondWith(404, json)
      .executeTest(({ url }) => expectRefusal(till(url).sell(elsewhere), 404));
  });
});

const reading = { method: 'GET', path: '/api/v1/inventory', headers: withToken } as const;

describe('the inventory', () => {
  test('of a store is read', () =>
    ask(pact, {
      ...reading,
      description: 'the inventory of a store',
      states: [anAccessToken, aStore],
      gaps: tokenSent,
      holding: ['pos/status-200', 'pos/base-path', 'pos/token-used', 'pos/json'],
      query: { store_id: fromState('store_id', storeId) },
    })
      .willRespondWith(200, json)
      .executeTest(({ url }) => till(url).inventory(storeId)));

  // The document shows no fields of the inventory, so its contents rest on a gap.
  const shown = { ...tokenSent, ...inData, 'pos.inventory-response': 'the fields of data and of its items' };
  const row = (product_id: string, quantity: number) => ({ product_id: equal(product_id), quantity: equal(quantity) });

  test('of a store is read without the products of another', () =>
    ask(pact, {
      ...reading,
      description: 'the inventory of one of two stores',
      states: [anAccessToken, aStore],
      gaps: shown,
      holding: ['pos/inventory-of-store'],
      query: { store_id: fromState('store_id', storeId) },
    })
      .willRespondWith(200, (reply) => json(reply).jsonBody({ data: { items: [row('PROD-1', 100), row('PROD-2', 50)] } }))
      .executeTest(({ url }) => till(url).inventory(storeId)));

  test('of a store is read as it is after a sale', () =>
    ask(pact, {
      ...reading,
      description: 'the inventory after a sale',
      states: [anAccessToken, ['a paid sale', { store_id: storeId }]],
      gaps: shown,
      holding: ['pos/inventory-current'],
      query: { store_id: fromState('store_id', storeId) },
    })
      .willRespondWith(200, (reply) => json(reply).jsonBody({ data: { items: [row('PROD-1', 99), row('PROD-2', 50)] } }))
      .executeTest(({ url }) => till(url).inventory(storeId)));

  test('of a store without a name is refused', () => {
    const gaps = {
      ...tokenSent,
      ...statusFor(400, 'an empty store_id'),
      'pos.check-order': 'an empty store_id is refused before the store is looked for',
    };
    const query = { store_id: '' };
    return ask(pact, {
      ...reading,
      description: 'the inventory of no store',
      states: [anAccessToken],
      gaps,
      holding: ['pos/status-400'],
      query,
    })
      .willRespondWith(400, json)
      .executeTest(({ url }) => expectRefusal(till(url).inventory(''), 400));
  });

  test('of an unknown store is refused', () => {
    const gaps = { ...tokenSent, ...statusFor(404, 'an unknown store') };
    const query = { store_id: fromState('store_id', unknownStoreId) };
    const states = [anAccessToken, noStore];
    return ask(pact, {
      ...reading,
      description: 'the inventory of an unknown store',
      states,
      gaps,
      holding: ['pos/status-404'],
      query,
    })
      .willRespondWith(404, json)
      .executeTest(({ url }) => expectRefusal(till(url).inventory(unknownStoreId), 404));
  });
});

const payment: MobilePayment = {
  amount: 9000,
  phone: '+2250700000000',
  provider: 'orange_money',
  reference: 'S-20261121-7K3M9Q',
};
const operator = { 'pos.providers': 'provider orange_money' };
const paying = {
  method: 'POST',
  path: '/api/v1/payment/mobile',
  headers: withToken,
  body: { ...payment, reference: fromState('reference', payment.reference) },
} as const;

describe('a mobile payment', () => {
  const sold = { store_id: storeId, total: payment.amount };
  const ofSale = { ...tokenSent, ...operator, 'pos.payment-reference': 'reference is the one that the service gave the sale' };

  test('of a whole sale is taken', () =>
    ask(pact, {
      ...paying,
      description: 'a payment of a whole sale',
      states: [anAccessToken, ['a sale awaiting payment', sold]],
      gaps: ofSale,
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
    })
      .willRespondWith(success(201), json)
      .executeTest(({ url }) => till(url).takePayment(payment)));

  test.each(['mtn_momo', 'moov_money'])('by the operator %s is taken', (provider) =>
    ask(pact, {
      ...paying,
      description: `a payment by the operator ${provider}`,
      states: [anAccessToken, ['a sale awaiting payment', sold]],
      gaps: { ...ofSale, 'pos.providers': `provider ${provider}` },
      holding: ['pos/payment-three-operators'],
      body: { ...paying.body, provider },
    })
      .willRespondWith(success(201), json)
      .executeTest(({ url }) => till(url).takePayment({ ...payment, provider })),
  );

  // The document shows no fields of the reply to a payment, so what was paid rests on a gap.
  test('of a part of a sale is answered as it was sent', () => {
    const part: MobilePayment = { ...payment, amount: 2500.5, provider: 'moov_money' };
    const { amount, phone, provider } = part;
    return ask(pact, {
      ...paying,
      description: 'a payment of a part of a sale',
      states: [anAccessToken, ['a sale awaiting payment', sold]],
      gaps: {
        ...ofSale,
        ...inData,
        'pos.providers': 'provider moov_money',
        'pos.payment-response': 'the fields amount, phone and provider',
        'pos.partial-payments': 'a part of the total is taken',
        'pos.amount-bounds': 'an amount with decimals',
      },
      holding: ['pos/payment-amount', 'pos/payment-phone', 'pos/payment-provider'],
      body: { ...paying.body, amount, provider },
    })
      .willRespondWith(success(201), (reply) =>
        json(reply).jsonBody({ data: { amount: equal(amount), phone: equal(phone), provider: equal(provider) } }),
      )
      .executeTest(({ url }) => till(url).takePayment(part));
  });

  test('of a sale that is paid is refused', () =>
    ask(pact, {
      ...paying,
      description: 'a payment of a sale that is paid',
      states: [anAccessToken, ['a paid sale', sold]],
      gaps: {
        ...ofSale,
        ...statusFor(400, 'a sale that is paid'),
        'pos.partial-payments': 'a sale takes no more than its total',
        'pos.sale-states': 'payments complete a mobile-money sale',
      },
      holding: ['pos/status-400'],
    })
      .willRespondWith(400, json)
      .executeTest(({ url }) => expectRefusal(till(url).takePayment(payment), 400)));

  test('of an unknown sale is refused', () => {
    const states = [anAccessToken, ['no sale', { reference: payment.reference }]] as const;
    const gaps = {
      ...tokenSent,
      ...operator,
      ...statusFor(404, 'an unknown sale'),
      'pos.payment-reference': 'reference is not of the client’s making',
    };
    return ask(pact, {
      ...paying,
      description: 'a payment of an unknown sale',
      states,
      gaps,
      holding: ['pos/status-404', 'pos/payment-reference'],
    })
      .willRespondWith(404, json)
      .executeTest(({ url }) => expectRefusal(till(url).takePayment(payment), 404));
  });
});

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

test.each([...each(operations, reasons), ...each([inventory], invalidTokens)])('$description is refused', (refused) =>
  askRefused(pact, refused)
    .willRespondWith(refused.reason.status, json)
    .executeTest(({ url }) => expectRefusal(refused.operation.call(new Till(url, refused.reason.token)), refused.reason.status)),
);

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
    .executeTest(async ({ url }) =>
      expect(await statusOf(`${url}/api/v1/inventory?store_id=${storeId}`, { Authorization: `Basic ${exampleToken}` })).toBe(401),
    ));
