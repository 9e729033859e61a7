// Tests of a till that takes our choices for the API: 201 for a sale, and our shape of a refusal. `passerelle probe` names both:
//   npx --no -- passerelle probe pos -- node --test strict.test.ts
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, sale, signIn } from './till.ts';

const token = await signIn();

test('sells for cash', async () => {
  const { status } = await call('POST', '/api/v1/sales', { token, body: sale });
  assert.equal(status, 201);
});

test('shows why the service refuses wrong credentials', async () => {
  const { body } = await call('POST', '/api/auth', { body: { api_key: 'nobody', api_secret: 'wrong' } });
  assert.deepEqual(Object.keys(body.error).sort(), ['code', 'details', 'message']);
});

test('reads the inventory', async () => {
  const { status } = await call('GET', '/api/v1/inventory?store_id=STORE-ABJ-01', { token });
  assert.ok(status < 300);
});
