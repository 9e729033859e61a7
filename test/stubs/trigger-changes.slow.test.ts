import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventsOf } from '../../spec/openapi/operations.ts';
import type { Stub } from '../../stubs/stub.ts';
import { forAllAsync } from '../for-all.ts';
import { call, openReceiver, openStub, signIn } from './partner.ts';

/** Reads through the manage API, as an operator does. */
async function managed(stub: Stub, path: string) {
  const { status, body } = await call(stub, 'GET', `/manage/v1${path}`, { token: stub.operatorToken });
  expect(status).toBe(200);
  return body.data;
}

const dataOf = (receiver: Awaited<ReturnType<typeof openReceiver>>) => JSON.parse(receiver.received.at(-1)?.body ?? '{}').data;

/** What the API says about the record that the event's data names. */
const readBack: Record<string, (stub: Stub, data: Record<string, unknown>) => Promise<unknown>> = {
  'intervention.validated': (stub, data) => statusOf(stub, data, 'approuve'),
  'intervention.terminated': (stub, data) => statusOf(stub, data, 'termine'),
  'intervention.suspended': (stub, data) => statusOf(stub, data, 'suspendu'),
  async 'indicator.alert'(stub, data) {
    const { token } = (stub as Stub<'cohesion'>).credentials;
    const { body } = await call(stub, 'GET', `/api/v1/indicateurs/${data.indicator_id}`, { token });
    const { id, is_kpi: _, ...shown } = body.data;
    expect(data).toEqual({ ...shown, indicator_id: id });
  },
  async 'plan.closed'(stub, { annee, closed_at }) {
    expect(await managed(stub, '/cohesion/plans')).toContainEqual(
      expect.objectContaining({ annee, closed_at, statut: 'closed' }),
    );
  },
  async 'rapport.ready'(stub, { rapport_id: id, annee, titre }) {
    expect(await managed(stub, '/cohesion/reports')).toContainEqual(expect.objectContaining({ id, annee, titre }));
  },
  async 'sale.completed'(stub, { store_id, items, reference }) {
    const [item] = items as { product_id: string }[];
    const token = await signIn(stub as Stub<'pos'>);
    const { body } = await call(stub, 'GET', `/api/v1/inventory?store_id=${store_id}`, { token });
    expect(body.data.items.map(({ product_id }: { product_id: string }) => product_id)).toContain(item?.product_id);
    const paid = { amount: 1, phone: '+2250700000000', provider: 'orange_money', reference };
    const again = await call(stub, 'POST', '/api/v1/payment/mobile', { token, body: paid });
    expect(again.body.error.message).toContain(`Sale ${reference} is paid by cash`);
  },
  async 'payment.received'(stub, { sale }) {
    const { reference, remaining } = sale as { reference: string; remaining: number };
    const token = await signIn(stub as Stub<'pos'>);
    const rest = { amount: remaining, phone: '+2250700000000', provider: 'orange_money', reference };
    const { body } = await call(stub, 'POST', '/api/v1/payment/mobile', { token, body: rest });
    expect(body.data.sale).toMatchObject({ reference, status: 'completed', remaining: 0 });
  },
  async 'inventory.low'(stub, { store_id, product_id, quantity }) {
    const token = await signIn(stub as Stub<'pos'>);
    const { body } = await call(stub, 'GET', `/api/v1/inventory?store_id=${store_id}`, { token });
    expect(body.data.items).toContainEqual(expect.objectContaining({ product_id, quantity, low: true }));
  },
  async 'sync.completed'(stub, { store_id, synchronized_at }) {
    expect(await managed(stub, '/pos/stores')).toContainEqual(expect.objectContaining({ id: store_id, synchronized_at }));
  },
};

async function statusOf(stub: Stub, { intervention_id: id, reference }: Record<string, unknown>, statut: string) {
  expect(await managed(stub, `/cohesion/interventions?limit=1&cursor=${Number(id) + 1}`)).toMatchObject([
    { id, reference, statut },
  ]);
}

describe.each(['pos', 'cohesion'] as const)('%s', (api) => {
  test.each(Object.keys(eventsOf(api)))('trigger makes the change that causes %s, and nothing else is sent', async (event) => {
    const receiver = await openReceiver(204);
    const stub = await openStub(api, { clock: '2026-11-21T08:00:00Z', webhooks: [{ url: receiver.url }] });
    const triggered = await stub.trigger(event);
    expect(triggered).toMatchObject({ event, example: false, deliveries: [{ status: 'delivered' }] });
    expect(receiver.received).toHaveLength(1);
    await readBack[event]?.(stub as Stub, dataOf(receiver));
  });

  test('without a record that allows the change, the event is an example, which says why', async () => {
    const receiver = await openReceiver(204);
    const stub = await openStub(api, { seed: 'empty', webhooks: [{ url: receiver.url }] });
    const types: { type: string; example: unknown }[] = await managed(stub as Stub, `/event-types?service=${api}`);
    // A report can be produced without any record.
    for (const { type, example } of types.filter((one) => one.type !== 'rapport.ready')) {
      expect(await stub.trigger(type)).toMatchObject({
        event: type,
        example: true,
        because: expect.stringMatching(/^(No|There is no) .*\.$/),
      });
      expect(dataOf(receiver)).toEqual(example);
    }
  });
});

test('--on chooses the record; one that cannot make the move is refused with its state, and nothing is sent', async () => {
  const receiver = await openReceiver(204);
  const stub = await openStub('cohesion', { webhooks: [{ url: receiver.url }] });
  const rows: { id: number; statut: string }[] = await managed(stub, '/cohesion/interventions?limit=100');
  const idOf = (wanted: string) => rows.find(({ statut }) => statut === wanted)?.id as number;
  const running = idOf('en_cours');
  const { because } = await stub.trigger('intervention.validated', undefined, { on: running });
  expect(because).toMatch(new RegExp(`^Intervention ${running} \\(.*\\) was validated\\.$`));
  expect(dataOf(receiver)).toMatchObject({ intervention_id: running });
  await expect(stub.trigger('intervention.validated', undefined, { on: idOf('approuve') })).rejects.toThrow('is approuve');
  expect(receiver.received).toHaveLength(1);
});

test.each([
  ['pos', 'sale.completed', 'STORE-NOWHERE', 'STORE-NOWHERE'],
  ['pos', 'payment.received', 'S-1', 'S-1'],
  ['pos', 'inventory.low', 'PRD-X', 'PRD-X'],
  ['cohesion', 'plan.closed', '1900', '1900'],
  ['cohesion', 'indicator.alert', '0', 'indicator'],
  ['cohesion', 'intervention.validated', '99999', 'There is no intervention 99999'],
  ['cohesion', 'intervention.validated', 'INT-1', 'is not the id of an intervention'],
] as const)('%s %s on %s, which does not exist, is refused', async (api, event, on, message) => {
  const stub = await openStub(api);
  const { status, body } = await call(stub, 'POST', '/_stub/trigger', { body: { event, on } });
  expect([status < 500, body.error.message]).toEqual([true, expect.stringContaining(message)]);
  expect(await managed(stub, '/events')).toEqual([]);
});

test('data, also with none in it, describes an event that did not happen: nothing changes, and `on` is refused beside it', async () => {
  const stub = await openStub('cohesion');
  const before = await stub.state();
  for (const data of [{}, { region: 'Poro' }])
    expect(await stub.trigger('intervention.validated', data)).toMatchObject({ example: true, because: 'Its data was given.' });
  expect(await stub.state()).toEqual({ ...before, events: expect.anything() });
  await expect(stub.trigger('intervention.validated', { region: 'Poro' }, { on: 1 })).rejects.toThrow('Leave out');
  await expect(stub.trigger('made.up', undefined, { on: 1, validate: false })).rejects.toThrow('No change causes made.up');
});

test('several events are caused in their order, also if they are delivered in reverse', async () => {
  const receiver = await openReceiver(204);
  const stub = await openStub('pos', { webhooks: [{ url: receiver.url }] });
  const events = [{ event: 'payment.received' }, { event: 'sale.completed' }, { event: 'inventory.low' }];
  const triggered = await stub.triggerAll(events, { reorder: true });
  expect(triggered.map(({ event, example }) => [event, example])).toEqual(events.map(({ event }) => [event, false]));
  expect(receiver.received.map(({ body }) => JSON.parse(body).event)).toEqual(events.map(({ event }) => event).toReversed());
});

test('whatever is triggered in whatever order, an event that is no example was caused by a change', async () => {
  const names = Object.keys(eventsOf('cohesion'));
  await forAllAsync(8, [fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 25 })], async (events) => {
    const receiver = await openReceiver(204);
    const stub = await openStub('cohesion', { seed: 'demo', webhooks: [{ url: receiver.url }] });
    for (const event of events) {
      const { example } = await stub.trigger(event);
      if (!example) await readBack[event]?.(stub as Stub, dataOf(receiver));
    }
    expect(receiver.received).toHaveLength(events.length);
    await stub.close();
  });
});
