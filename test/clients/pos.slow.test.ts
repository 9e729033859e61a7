import { expect, test } from 'vitest';
import { ManualClock } from '../../gateway/base/clock.ts';
import { posClient } from '../../spec/clients/pos.ts';
import { buildTestApp } from '../helper.ts';

/** A client of a listening gateway with a token, and the credentials of that token. */
async function openClient() {
  const gateway = await buildTestApp({ clock: new ManualClock(Date.UTC(2026, 2, 1, 8)) });
  const url = await gateway.app.listen({ host: '127.0.0.1', port: 0 });
  const account = gateway.demo.pos.accounts.find(({ plan }) => plan === 'enterprise');
  const credentials = { api_key: account?.apiKey ?? '', api_secret: account?.apiSecret ?? '' };
  const baseUrl = `${url}/pos`;
  const { data } = await posClient({ baseUrl }).POST('/api/auth', { body: credentials });
  return { client: posClient({ baseUrl, token: data?.token ?? '' }), credentials };
}

const saleBody = {
  store_id: 'STORE-ABJ-01',
  items: [{ product_id: 'PRD-0001', quantity: 2, price: 750 }],
  payment_method: 'mobile_money' as const,
  customer_phone: '+2250701020304',
  total: 1500,
};

test('every operation of the point of sale can be called', async () => {
  const { client, credentials } = await openClient();
  expect((await client.POST('/api/v1/auth', { body: credentials })).data).toMatchObject({ expires_in: expect.any(Number) });

  const sale = await client.POST('/api/v1/sales', { body: saleBody, params: { header: { 'idempotency-key': 'till-1-1' } } });
  expect(sale.response.status).toBe(201);
  expect(sale.data?.data).toMatchObject({ status: 'pending', total: 1500, currency: 'XOF' });

  const reference = sale.data?.data.reference ?? '';
  const payment = await client.POST('/api/v1/payment/mobile', {
    body: { amount: 1500, phone: '+2250701020304', provider: 'orange_money', reference },
  });
  expect(payment).toMatchObject({ data: { success: true } });

  const query = { store_id: 'STORE-ABJ-01' };
  const inventory = await client.GET('/api/v1/inventory', { params: { query } });
  expect(inventory.data?.data.items[0]).toMatchObject({ product_id: 'PRD-0001' });
  const start_date = '2026-03-01';
  const report = await client.GET('/api/v1/reports/sales', { params: { query: { ...query, start_date } } });
  expect(report.data).toMatchObject({ success: true });
});

test('a refusal is an error with its code, and no data', async () => {
  const { client } = await openClient();
  const { data, error, response } = await client.GET('/api/v1/inventory', { params: { query: { store_id: 'NOWHERE' } } });
  expect(response.status).toBe(404);
  expect(data).toBeUndefined();
  expect(error?.error.code).toMatch(/not_found/);
});
