import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { until } from '../e2e/process.ts';
import { buildTestApp } from '../helper.ts';
import { listening } from '../listening.ts';

interface Received {
  event: string;
  delivered_at: string;
  data: Record<string, unknown>;
}

/** A receiver that keeps the deliveries signed with one of these secrets. */
async function receiver() {
  const secrets: string[] = [];
  const received: Received[] = [];
  const url = await listening(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const genuine = secrets.some(
      (secret) => request.headers['x-service-signature'] === `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    );
    if (genuine) received.push(JSON.parse(body.toString()));
    response.writeHead(genuine ? 200 : 401).end();
  });
  return { secrets, received, url: `${url}/` };
}

test('real changes send all ten events, each signed and in its envelope', async () => {
  const gateway = await buildTestApp();
  const { secrets, received, url } = await receiver();
  for (const service of ['pos', 'cohesion']) {
    const endpoint = await gateway.manage('POST', '/endpoints', { service, url });
    secrets.push(endpoint.body.data.secret);
  }
  const token = await gateway.posToken();
  const store_id = gateway.demo.pos.stores[0] as string;
  const inventory = (await gateway.call('GET', `/pos/api/v1/inventory?store_id=${store_id}`, { token })).body.data.items;
  const product = inventory.find((item: { quantity: number; low_threshold: number }) => item.quantity > item.low_threshold);
  const total = product.quantity * product.price;
  const sale = await gateway.call('POST', '/pos/api/v1/sales', {
    token,
    body: {
      store_id,
      items: [{ product_id: product.product_id, quantity: product.quantity, price: product.price }],
      payment_method: 'mobile_money',
      total,
    },
  });
  const payment = { amount: total, phone: '+2250701020304', provider: 'moov_money', reference: sale.body.data.reference };
  expect((await gateway.call('POST', '/pos/api/v1/payment/mobile', { token, body: payment })).status).toBe(201);
  expect((await gateway.manage('POST', `/pos/stores/${store_id}/sync`, {})).status).toBe(200);

  const running = (await gateway.manage('GET', '/cohesion/interventions?statut=en_cours&limit=3')).body.data;
  const moves = ['validate', 'suspend', 'terminate'];
  for (const [index, move] of moves.entries()) {
    expect((await gateway.manage('POST', `/cohesion/interventions/${running[index].id}/${move}`)).status).toBe(200);
  }
  const indicator = (await gateway.manage('GET', '/cohesion/indicators?limit=100')).body.data.find(
    (one: { active: boolean; alert_state: string; cible_annuelle: number }) =>
      one.active && one.alert_state === 'none' && one.cible_annuelle > 0,
  );
  expect((await gateway.manage('PUT', `/cohesion/indicators/${indicator.id}/value`, { valeur_courante: 0 })).status).toBe(200);
  expect((await gateway.manage('POST', '/cohesion/reports', { annee: 2026 })).status).toBe(201);
  const open = (await gateway.manage('GET', '/cohesion/plans')).body.data.find(
    ({ statut }: { statut: string }) => statut !== 'clos' && statut !== 'closed',
  );
  expect((await gateway.manage('POST', `/cohesion/plans/${open.annee}/close`)).status).toBe(200);

  const types = [
    'indicator.alert',
    'intervention.suspended',
    'intervention.terminated',
    'intervention.validated',
    'inventory.low',
    'payment.received',
    'plan.closed',
    'rapport.ready',
    'sale.completed',
    'sync.completed',
  ];
  await until(async () => received.length >= types.length);
  expect(received.map(({ event }) => event).sort()).toEqual(types);
  for (const envelope of received) {
    expect(Object.keys(envelope)).toEqual(['event', 'delivered_at', 'data']);
    expect(envelope.delivered_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
  }
  // Exactly the payload of the cohesion document, section 6.
  expect(received.find(({ event }) => event === 'intervention.validated')?.data).toEqual({
    intervention_id: running[0].id,
    reference: running[0].reference,
    intitule: running[0].intitule,
    structure_id: running[0].structure_id,
    region: running[0].region,
    validated_by: { id: expect.any(Number), name: expect.any(String) },
  });
});
