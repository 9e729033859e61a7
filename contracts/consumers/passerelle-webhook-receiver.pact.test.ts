import { MatchersV3 } from '@pact-foundation/pact';
import { expect, test } from 'vitest';
import { buildTestApp, type TestGateway } from '../../test/helper.ts';
import { until } from '../../test/webhooks/harness.ts';
import { ask } from './ask.ts';
import { openPact } from './pact.ts';
import { signature, success, timestampWithOffset, utcTimestamp, validation } from './shapes.ts';

const { eachLike, number, regex, string } = MatchersV3;

/** In this pact the gateway is the consumer, and a partner's receiver is the provider. */
const pact = openPact({ consumer: 'passerelle', provider: 'webhook-receiver', interactions: 2 });

const path = '/hook';
const base64 = '[A-Za-z0-9+/]{43}=';
const delivery = {
  method: 'POST',
  path,
  headers: {
    'Content-Type': 'application/json',
    'X-SERVICE-Signature': signature,
    'webhook-id': regex('^[!-~]+$', 'evt_019aa5b0c1d27e3f8a4b5c6d7e8f9012'),
    'webhook-timestamp': regex('^[0-9]{10}$', '1795251180'),
    'webhook-signature': regex(`^v1,${base64}( v1,${base64})*$`, `v1,${'abcd'.repeat(10)}abc=`),
  },
} as const;

/** Makes a gateway send an event to this receiver, which accepts the first attempt. */
async function deliver(url: string, service: string, event: string, change: (gateway: TestGateway) => Promise<unknown>) {
  const gateway = await buildTestApp();
  await gateway.manage('POST', '/endpoints', { service, url: `${url}${path}`, events: [event] });
  await change(gateway);
  const delivery = await until(async () => {
    const [one] = (await gateway.manage('GET', '/deliveries')).body.data;
    if (!one?.attempts) throw new Error(`The gateway sent no webhook for ${event}.`);
    return one;
  });
  expect(delivery).toMatchObject({ event_type: event, status: 'delivered', attempts: 1, response_status: 204 });
}

async function validateOne({ manage }: TestGateway): Promise<void> {
  const [running] = (await manage('GET', '/cohesion/interventions?statut=en_cours&limit=1')).body.data;
  await manage('POST', `/cohesion/interventions/${running.id}/validate`);
}

async function sellOne({ call, demo, posToken }: TestGateway): Promise<void> {
  const token = await posToken();
  const [store_id] = demo.pos.stores;
  const [product] = (await call('GET', `/pos/api/v1/inventory?store_id=${store_id}`, { token })).body.data.items;
  const items = [{ product_id: product.product_id, quantity: 1, price: 4500 }];
  const body = { store_id, items, payment_method: 'cash', customer_phone: '+2250700000000', total: 4500 };
  await call('POST', '/pos/api/v1/sales', { token, body });
}

test('intervention.validated is delivered as documented', () =>
  ask(pact, {
    ...delivery,
    description: 'intervention.validated',
    gaps: {
      'cohesion.webhook-standard-headers': 'the headers webhook-id, webhook-timestamp and webhook-signature',
      'cohesion.webhook-retries': 'any 2xx acknowledges the delivery',
    },
    body: { event: 'intervention.validated', ...validation },
  })
    .willRespondWith(success(204))
    .executeTest(({ url }) => deliver(url, 'cohesion', 'intervention.validated', validateOne)));

const completedSale = {
  id: string('sale_019aa5b0c1d27e3f8a4b5c6d7e8f9012'),
  reference: string('S-20261121-7K3M9Q'),
  store_id: string('STORE-1'),
  status: 'completed',
  payment_method: string('cash'),
  customer_phone: string('+2250700000000'),
  items: eachLike({
    product_id: string('PROD-1'),
    name: string('Riz 5 kg'),
    quantity: number(1),
    price: number(4500),
    amount: number(4500),
  }),
  total: number(4500),
  paid: number(4500),
  currency: string('XOF'),
  created_at: utcTimestamp,
  completed_at: utcTimestamp,
};

test('sale.completed is delivered with the sale', () =>
  ask(pact, {
    ...delivery,
    description: 'sale.completed',
    gaps: {
      'pos.webhook-envelope': 'event, delivered_at and data',
      'pos.sale-completed-payload': 'data is the sale',
      'pos.sale-response': 'the fields of a sale',
      'pos.webhook-target': 'by POST, with a JSON body',
      'pos.webhook-signing': 'the header X-SERVICE-Signature, and those of Standard Webhooks',
      'pos.webhook-retries': 'any 2xx acknowledges the delivery',
    },
    body: { event: 'sale.completed', delivered_at: timestampWithOffset, data: completedSale },
  })
    .willRespondWith(success(204))
    .executeTest(({ url }) => deliver(url, 'pos', 'sale.completed', sellOne)));
