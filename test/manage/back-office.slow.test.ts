import { expect, test } from 'vitest';
import { buildTestApp, type Reply } from '../helper.ts';
import { until } from '../webhooks/harness.ts';
import { receiver } from '../webhooks/receiver.ts';

/** The back-office requests of the console, in a typical order. */
async function office(settings: Record<string, string> = {}) {
  const gateway = await buildTestApp({ settings });
  const ok = ({ status, body }: Reply) => {
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    return body.data;
  };
  return { ...gateway, ok };
}

test('an account: its keys are listed without secrets, and a revoked key is refused', async () => {
  const { manage, call, ok } = await office();
  const { id } = ok(await manage('POST', '/pos/accounts', { name: 'Boutique Adjamé', plan: 'pro' }));
  expect(ok(await manage('GET', `/pos/accounts/${id}`))).toMatchObject({ id, plan: 'pro', active: true });
  const { api_key, api_secret } = ok(await manage('POST', `/pos/accounts/${id}/keys`));
  const signIn = () => call('POST', '/pos/api/auth', { body: { api_key, api_secret } });
  expect((await signIn()).status).toBe(200);
  const keys = await manage('GET', `/pos/accounts/${id}/keys`);
  expect(ok(keys)).toMatchObject([{ api_key, revoked_at: null }]);
  expect(keys.text).not.toContain(api_secret);
  ok(await manage('DELETE', `/pos/accounts/${id}/keys/${api_key}`));
  expect((await signIn()).status).toBe(401);
});

test('a store: restocking adds to its stock', async () => {
  const { manage, ok, demo } = await office();
  const [id] = demo.pos.stores;
  const read = async () => ok(await manage('GET', `/pos/stores/${id}`)).stock[0];
  const { product_id, quantity } = await read();
  ok(await manage('POST', `/pos/stores/${id}/restock`, { items: [{ product_id, quantity: 7 }] }));
  expect((await read()).quantity).toBe(quantity + 7);
});

test('a user: create, change, give it a token, revoke the token', async () => {
  const { manage, call, ok } = await office();
  const user = { name: 'Aya Kouassi', role: 'lecteur', email: 'aya@example.org' };
  const { id } = ok(await manage('POST', '/cohesion/users', user));
  ok(await manage('PATCH', `/cohesion/users/${id}`, { role: 'gestionnaire' }));
  expect(ok(await manage('GET', `/cohesion/users/${id}`))).toMatchObject({ ...user, role: 'gestionnaire' });
  expect(ok(await manage('GET', '/cohesion/users'))[0]).toMatchObject({ id });
  const wanted = { name: 'Tableau de bord', abilities: ['read:indicators'], structure_ids: null };
  const made = ok(await manage('POST', `/cohesion/users/${id}/tokens`, wanted));
  const me = () => call('GET', '/cohesion/api/v1/me', { token: made.token });
  expect((await me()).status).toBe(200);
  const listed = await manage('GET', `/cohesion/tokens?user_id=${id}`);
  expect(ok(listed)).toMatchObject([{ id: made.id, name: 'Tableau de bord', revoked_at: null }]);
  expect(listed.text).not.toContain(made.token);
  ok(await manage('DELETE', `/cohesion/tokens/${made.id}`));
  expect((await me()).status).toBe(401);
});

test('an intervention: from draft to approval; each move returns the next legal moves', async () => {
  const { manage, ok } = await office();
  const [structure] = ok(await manage('GET', '/cohesion/structures'));
  const draft = { reference: 'INT-2026-9001', intitule: 'Dialogue à Bouaké', structure_id: structure.id, annee: 2026 };
  const { id } = ok(await manage('POST', '/cohesion/interventions', draft));
  const stands = async () => {
    const { statut, legal_moves } = ok(await manage('GET', `/cohesion/interventions/${id}`));
    return [statut, legal_moves];
  };
  expect(await stands()).toEqual(['brouillon', ['publish']]);
  ok(await manage('POST', `/cohesion/interventions/${id}/publish`));
  expect(await stands()).toEqual(['en_cours', ['suspend', 'terminate', 'validate']]);
  ok(await manage('POST', `/cohesion/interventions/${id}/suspend`));
  expect(await stands()).toEqual(['suspendu', ['resume', 'terminate']]);
  ok(await manage('POST', `/cohesion/interventions/${id}/resume`));
  ok(await manage('POST', `/cohesion/interventions/${id}/terminate`));
  expect(await stands()).toEqual(['termine', ['validate']]);
  const illegal = await manage('POST', `/cohesion/interventions/${id}/suspend`);
  expect([illegal.status, illegal.body.error.details[0]]).toMatchObject([409, { field: 'legal_moves', message: 'validate' }]);
});

test('partners no longer see an inactive structure or indicator', async () => {
  const { manage, call, cohesionToken, ok } = await office();
  const token = cohesionToken();
  const shown = async (list: string) => (await call('GET', `/cohesion/api/v1/${list}?per_page=1`, { token })).body.data[0].id;
  const [structure, indicator] = [await shown('structures'), await shown('indicateurs')];
  ok(await manage('PATCH', `/cohesion/structures/${structure}`, { active: false }));
  ok(await manage('PATCH', `/cohesion/indicators/${indicator}`, { active: false }));
  expect(await shown('structures')).not.toBe(structure);
  expect(await shown('indicateurs')).not.toBe(indicator);
});

test('a stored report can be read', async () => {
  const { manage, ok } = await office();
  const { id } = ok(await manage('POST', '/cohesion/reports', { annee: 2026, titre: 'Bilan' }));
  expect(ok(await manage('GET', '/cohesion/reports'))[0]).toMatchObject({ id, titre: 'Bilan' });
  expect(ok(await manage('GET', `/cohesion/reports/${id}`))).toMatchObject({ id, annee: 2026 });
});

test('a recovery can be paused and resumed', async () => {
  const { manage, call, ok, demo, posToken } = await office({ WEBHOOK_RETRY_SECONDS: '0' });
  let well = false;
  const { url } = await receiver((response) => response.writeHead(well ? 200 : 500).end());
  const endpoint = ok(await manage('POST', '/endpoints', { service: 'pos', url }));
  const token = await posToken();
  const [store_id] = demo.pos.stores;
  const { items } = ok(await call('GET', `/pos/api/v1/inventory?store_id=${store_id}`, { token }));
  const [{ product_id, price }] = items;
  const sale = { store_id, items: [{ product_id, quantity: 1, price }], payment_method: 'cash', total: price };
  for (let event = 0; event < 3; event += 1) ok(await call('POST', '/pos/api/v1/sales', { token, body: sale }));
  const count = async (status: string) =>
    ok(await manage('GET', `/deliveries?event_type=sale.completed&status=${status}`)).length;
  await until(async () => expect(await count('failed')).toBe(3));
  well = true;
  const { id } = ok(await manage('POST', '/recoveries', { endpoint_id: endpoint.id, pace: 1 }));
  expect(ok(await manage('POST', `/recoveries/${id}/pause`)).status).toBe('paused');
  expect(await count('failed')).toBeGreaterThan(0);
  ok(await manage('PATCH', `/recoveries/${id}`, { pace: 1000 }));
  expect(ok(await manage('POST', `/recoveries/${id}/resume`)).status).toBe('running');
  await until(async () => expect(await count('delivered')).toBe(3));
});
