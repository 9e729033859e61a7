import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cohesionClient } from '../../spec/clients/cohesion.ts';
import { posClient } from '../../spec/clients/pos.ts';
import { serviceNames } from '../../spec/documents/services.ts';
import { eventsOf } from '../../spec/openapi/operations.ts';
import { pastedSample, type RunningProgram, samples, startProgram } from '../receivers/programs.ts';
import { financing } from './dashboard.ts';
import { openStub } from './partner.ts';
import { mobileSale, phone } from './till.ts';

/** What must work under every harmless change works under all of them at once. */
const assume = 'harmless=all';

test('every operation of the point of sale, by the typed client', async () => {
  const stub = await openStub('pos', { assume });
  const { apiKey: api_key, apiSecret: api_secret } = stub.credentials;
  const body = { api_key, api_secret };
  const { data } = await posClient({ baseUrl: stub.url }).POST('/api/auth', { body });
  const client = posClient({ baseUrl: stub.url, token: data?.token ?? '' });
  expect((await client.POST('/api/v1/auth', { body })).data).toMatchObject({ expires_in: expect.any(Number) });
  const header = { 'idempotency-key': 'till-1-1' };
  const sale = await client.POST('/api/v1/sales', { body: mobileSale, params: { header } });
  expect(sale.data?.data).toMatchObject({ status: 'pending', total: 9000, currency: 'XOF' });
  const reference = sale.data?.data.reference ?? '';
  const payment = { amount: 9000, phone, provider: 'orange_money', reference } as const;
  expect((await client.POST('/api/v1/payment/mobile', { body: payment })).data?.data.sale).toMatchObject({ status: 'completed' });
  const query = { store_id: 'STORE-ABJ-01' };
  expect((await client.GET('/api/v1/inventory', { params: { query } })).data?.data.items.length).toBeGreaterThan(0);
  expect((await client.GET('/api/v1/reports/sales', { params: { query } })).data).toMatchObject({ success: true });
  const refused = await client.GET('/api/v1/inventory', { params: { query: { store_id: 'NOWHERE' } } });
  expect([refused.response.status, refused.data]).toEqual([404, undefined]);
  expect(refused.error).toMatchObject({ success: false, error: { code: 'not_found' } });
});

test('every operation of social cohesion, by the typed client', async () => {
  const stub = await openStub('cohesion', { assume });
  const client = cohesionClient({ baseUrl: stub.url, token: stub.credentials.token });
  expect((await client.GET('/api/v1/me')).data?.data.token.abilities).toContain('read:stats');
  const { data: list } = await client.GET('/api/v1/indicateurs', { params: { query: { per_page: 10, type: 'activite' } } });
  expect(list?.data).toHaveLength(list?.meta.per_page ?? 0);
  const path = { id: list?.data[0]?.id ?? 0 };
  expect((await client.GET('/api/v1/indicateurs/{id}', { params: { path } })).data?.data).toMatchObject(path);
  expect((await client.GET('/api/v1/interventions', { params: { query: { q: 'dialogue' } } })).response.status).toBe(200);
  expect((await client.GET('/api/v1/structures')).data?.data.length).toBeGreaterThan(0);
  expect((await client.GET('/api/v1/stats', { params: { query: { annee: 2026 } } })).data?.data.annee).toBe(2026);
  const created = await client.POST('/api/v1/financements', { body: financing });
  expect(created.data?.data).toMatchObject({ devise: 'XOF', montant: 50 });
  const id = created.data?.data.id ?? 0;
  const changed = await client.PUT('/api/v1/financements/{id}', { params: { path: { id } }, body: { statut: 'obtenu' } });
  expect(changed.data?.data).toMatchObject({ id, statut: 'obtenu' });
  const refused = await cohesionClient({ baseUrl: stub.url }).GET('/api/v1/me');
  expect([refused.response.status, refused.data, refused.error?.message]).toEqual([401, undefined, expect.any(String)]);
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
