// Tests of a till that relies on nothing but what the API document says. `passerelle probe` finds no dependency:
//   npx passerelle probe pos -- node --test careful.test.ts
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, sale, signIn } from './till.ts';

const token = await signIn();
const isSuccess = (status: number) => status >= 200 && status < 300;
const isRefusal = (status: number) => status >= 400 && status < 500;

/** The rows of a reply: the document shows neither what is around them nor what they are called. */
function rowsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) return [];
  return (
    Object.values(value)
      .map(rowsOf)
      .find(({ length }) => length > 0) ?? []
  );
}

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

test('reads the inventory', async () => {
  const { status, body } = await call('GET', '/api/v1/inventory?store_id=STORE-ABJ-01', { token });
  assert.ok(isSuccess(status), `answered ${status}`);
  assert.ok(rowsOf(body).length > 0);
});
