// Tests of a till that is ready for whatever a client can be ready for. `passerelle probe` finds no dependency, and the questions that
// only the service's owner can answer: in which header the token is sent, and what the fields of replies are called.
//   npx --no -- passerelle probe pos -- node --test careful.test.ts
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, sale, signIn } from './till.ts';

const token = await signIn();
const [item] = sale.items;
const isSuccess = (status: number) => status >= 200 && status < 300;
const isRefusal = (status: number) => status >= 400 && status < 500;

type Fields = Record<string, unknown>;

/** The record of a reply: the document does not show whether something is around it. */
const recordOf = (body: Fields): Fields => (body.data ?? body) as Fields;

/** The rows of a reply: under their name, or alone. */
const rowsOf = (body: Fields, name: string): Fields[] => {
  const record = recordOf(body);
  return (Array.isArray(record) ? record : record[name]) as Fields[];
};

test('sells for cash', async () => {
  const { status } = await call('POST', '/api/v1/sales', { token, body: sale });
  assert.ok(isSuccess(status), `answered ${status}`);
});

test('is told that the credentials are wrong', async () => {
  const { status } = await call('POST', '/api/auth', { body: { api_key: 'nobody', api_secret: 'wrong' } });
  assert.ok(isRefusal(status), `answered ${status}`);
});

test('does not sell in an unknown store', async () => {
  const { status } = await call('POST', '/api/v1/sales', { token, body: { ...sale, store_id: 'STORE-NOWHERE' } });
  assert.ok(isRefusal(status), `answered ${status}`);
});

test('keeps the reference of a sale', async () => {
  const { body } = await call('POST', '/api/v1/sales', {
    token,
    body: { ...sale, items: [{ ...item, quantity: 2 }], total: 9000 },
  });
  assert.equal(typeof recordOf(body).reference, 'string');
});

test('sells at the price of the catalogue', async () => {
  const { status, body } = await call('GET', '/api/v1/inventory?store_id=STORE-ABJ-01', { token });
  assert.ok(isSuccess(status), `answered ${status}`);
  const product = rowsOf(body, 'items').find(({ product_id }) => product_id === item.product_id);
  assert.equal(Number(product?.price), item.price);
});
