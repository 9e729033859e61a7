import { describe, expect, test } from 'vitest';
import { ask, askRefused, each, type Operation } from './ask.ts';
import { obtainToken } from './clients/pos-token.ts';
import { type MobilePayment, type Sale, Till } from './clients/till.ts';
import { openPact } from './pact.ts';
import {
  anAccessToken,
  aStore,
  noStore,
  reasons,
  statusFor,
  storeId,
  tokenPath,
  tokenSent,
  unknownStoreId,
  withToken,
} from './pos.ts';
import { exampleToken, expectRefusal, fromState, json, success, tokenReply } from './shapes.ts';

const pact = openPact({ consumer: 'till', provider: 'pos', interactions: 22 });
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
      body: { api_key, api_secret: fromState('api_secret', credentials.api_secret) },
    })
      .willRespondWith(success(200), (reply) => json(reply).jsonBody(tokenReply.shown))
      .executeTest(async ({ url }) => expect(await obtainToken(url, credentials)).toEqual(tokenReply.read)));

  test('is refused for a wrong secret', () => {
    const wrong = { ...credentials, api_secret: 'wrong' };
    const gaps = { ...tokenPath, ...statusFor(401, 'wrong credentials') };
    return ask(pact, { ...auth, description: 'credentials with a wrong secret', gaps, body: { ...wrong, api_key } })
      .willRespondWith(401, json)
      .executeTest(({ url }) => expectRefusal(obtainToken(url, wrong), 401));
  });

  test('is refused for an empty secret', () => {
    const empty = { ...credentials, api_secret: '' };
    const gaps = { ...tokenPath, ...statusFor(400, 'an empty api_secret') };
    return ask(pact, { ...auth, description: 'credentials with an empty secret', gaps, body: { ...empty, api_key } })
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

describe('a sale', () => {
  test.each([
    { description: 'a cash sale without a telephone number', sale: cashSale, method: cash },
    { description: 'a mobile-money sale', sale: mobileSale, method: mobileMoney },
  ])('$description is made', ({ description, sale, method }) =>
    ask(pact, { ...selling, description, states: [anAccessToken, aStore], gaps: { ...tokenSent, ...method }, body: bodyOf(sale) })
      .willRespondWith(success(201), json)
      .executeTest(({ url }) => till(url).sell(sale)),
  );

  test('without lines is refused', () => {
    const empty = { ...mobileSale, items: [], total: 0 };
    const gaps = { ...tokenSent, ...mobileMoney, ...statusFor(400, 'a sale without lines') };
    const states = [anAccessToken, aStore];
    return ask(pact, { ...selling, description: 'a sale without lines', states, gaps, body: bodyOf(empty) })
      .willRespondWith(400, json)
      .executeTest(({ url }) => expectRefusal(till(url).sell(empty), 400));
  });

  test('in an unknown store is refused', () => {
    const elsewhere = { ...mobileSale, store_id: unknownStoreId };
    const gaps = { ...tokenSent, ...mobileMoney, ...statusFor(404, 'an unknown store') };
    const states = [anAccessToken, noStore];
    return ask(pact, { ...selling, description: 'a sale in an unknown store', states, gaps, body: bodyOf(elsewhere) })
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
      query: { store_id: fromState('store_id', storeId) },
    })
      .willRespondWith(200, json)
      .executeTest(({ url }) => till(url).inventory(storeId)));

  test('of a store without a name is refused', () => {
    const gaps = { ...tokenSent, ...statusFor(400, 'an empty store_id') };
    const query = { store_id: '' };
    return ask(pact, { ...reading, description: 'the inventory of no store', states: [anAccessToken], gaps, query })
      .willRespondWith(400, json)
      .executeTest(({ url }) => expectRefusal(till(url).inventory(''), 400));
  });

  test('of an unknown store is refused', () => {
    const gaps = { ...tokenSent, ...statusFor(404, 'an unknown store') };
    const query = { store_id: fromState('store_id', unknownStoreId) };
    const states = [anAccessToken, noStore];
    return ask(pact, { ...reading, description: 'the inventory of an unknown store', states, gaps, query })
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
    })
      .willRespondWith(success(201), json)
      .executeTest(({ url }) => till(url).takePayment(payment)));

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
    return ask(pact, { ...paying, description: 'a payment of an unknown sale', states, gaps })
      .willRespondWith(404, json)
      .executeTest(({ url }) => expectRefusal(till(url).takePayment(payment), 404));
  });
});

const operations: Operation<Till>[] = [
  { ...selling, name: 'a sale', body: mobileSale, gaps: mobileMoney, call: (client) => client.sell(mobileSale) },
  { ...reading, name: 'the inventory', query: { store_id: storeId }, call: (client) => client.inventory(storeId) },
  { ...paying, name: 'a payment', body: payment, gaps: operator, call: (client) => client.takePayment(payment) },
];

test.each(each(operations, reasons))('$description is refused', (refused) =>
  askRefused(pact, refused)
    .willRespondWith(refused.reason.status, json)
    .executeTest(({ url }) => expectRefusal(refused.operation.call(new Till(url, refused.reason.token)), refused.reason.status)),
);
