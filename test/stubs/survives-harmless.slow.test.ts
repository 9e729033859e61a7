import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Dashboard } from '../../contracts/consumers/clients/dashboard.ts';
import { Funder } from '../../contracts/consumers/clients/funder.ts';
import { obtainToken } from '../../contracts/consumers/clients/pos-token.ts';
import { SalesReports } from '../../contracts/consumers/clients/report.ts';
import { Till } from '../../contracts/consumers/clients/till.ts';
import { cohesionClient } from '../../spec/clients/cohesion.ts';
import { posClient } from '../../spec/clients/pos.ts';
import { serviceNames } from '../../spec/documents/services.ts';
import { eventsOf } from '../../spec/openapi/operations.ts';
import { pastedSample, type RunningProgram, samples, startProgram } from '../receivers/programs.ts';
import { financing } from './dashboard.ts';
import { aSale, openStub } from './partner.ts';
import { mobileSale, phone } from './till.ts';

/** What must work under every harmless change works under all of them at once. */
const assume = 'harmless=all';

test('the typed client of the point of sale', async () => {
  const stub = await openStub('pos', { assume });
  const { apiKey, apiSecret } = stub.credentials;
  const body = { api_key: apiKey, api_secret: apiSecret };
  const { data } = await posClient({ baseUrl: stub.url }).POST('/api/auth', { body });
  const client = posClient({ baseUrl: stub.url, token: data?.token ?? '' });
  const sale = await client.POST('/api/v1/sales', { body: mobileSale });
  expect(sale.data?.data).toMatchObject({ status: 'pending', total: 9000 });
  const reference = sale.data?.data.reference ?? '';
  const payment = { amount: 9000, phone, provider: 'orange_money', reference } as const;
  expect((await client.POST('/api/v1/payment/mobile', { body: payment })).data?.data.sale).toMatchObject({ status: 'completed' });
  const query = { store_id: 'STORE-ABJ-01' };
  expect((await client.GET('/api/v1/inventory', { params: { query } })).data?.data.items.length).toBeGreaterThan(0);
  const refused = await client.GET('/api/v1/inventory', { params: { query: { store_id: 'NOWHERE' } } });
  expect(refused.error).toMatchObject({ success: false, error: { code: 'not_found' } });
});

test('the typed client of social cohesion', async () => {
  const stub = await openStub('cohesion', { assume });
  const client = cohesionClient({ baseUrl: stub.url, token: stub.credentials.token });
  const indicators = await client.GET('/api/v1/indicateurs', { params: { query: { per_page: 10 } } });
  expect(indicators.data?.data).toHaveLength(indicators.data?.meta.per_page ?? 0);
  const created = await client.POST('/api/v1/financements', { body: financing });
  expect(created.data?.data).toMatchObject({ id: expect.any(Number), montant: 50 });
});

test('the clients of our pacts', async () => {
  const pos = await openStub('pos', { assume });
  const { apiKey: api_key, apiSecret: api_secret } = pos.credentials;
  const { token, token_type } = await obtainToken(pos.url, { api_key, api_secret });
  expect(token_type).toBe('Bearer');
  const till = new Till(pos.url, token);
  await till.sell(aSale(1));
  expect(JSON.parse(await till.inventory('STORE-ABJ-01'))).toMatchObject({ success: true });
  expect(JSON.parse(await new SalesReports(pos.url, token).read('STORE-ABJ-01'))).toMatchObject({ success: true });

  const cohesion = await openStub('cohesion', { assume });
  const dashboard = new Dashboard(cohesion.url, cohesion.credentials.token);
  expect((await dashboard.me()).token.abilities).toContain('read:stats');
  const { data, meta } = await dashboard.indicators({ per_page: 3, page: 2 });
  expect([data.length, meta.page]).toEqual([meta.per_page, 2]);
  expect(JSON.parse(await dashboard.stats())).toMatchObject({ data: { annee: expect.any(Number) } });
  const funder = new Funder(cohesion.url, cohesion.credentials.token);
  const { id } = await funder.create(financing);
  expect(await funder.updated(id, { ...financing, statut: 'obtenu' })).toMatchObject({ id, statut: 'obtenu' });
});

describe.for([...samples, pastedSample])('the receiver $title', { concurrent: false }, (sample) => {
  if (!sample.present) return test.skip('the interpreter is not installed');
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  let running: RunningProgram;
  beforeAll(async () => {
    running = await startProgram(sample, [secret]);
  });
  afterAll(() => running.stop());

  test.each(serviceNames)('accepts every webhook of %s', async (api) => {
    const clock = '2026-11-21T08:00:00Z';
    const stub = await openStub(api, { assume, secret, clock, webhooks: [{ url: running.url }] });
    const types = Object.keys(eventsOf(api));
    await stub.triggerAll(types.map((event) => ({ event, data: {} })));
    await stub.clock.advance('1m');
    const deliveries = await stub.deliveries();
    expect(deliveries).toHaveLength(2 * types.length);
    for (const delivery of deliveries) expect(delivery).toMatchObject({ status: 'delivered', attempts: 2 });
  });
});
