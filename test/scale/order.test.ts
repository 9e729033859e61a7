import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { Keyring } from '../../gateway/base/keyring.ts';
import type { Started } from '../e2e/process.ts';
import { eventually } from '../eventually.ts';
import { sold, startHarness } from '../webhooks/harness.ts';
import { type Receiver, receiver } from '../webhooks/receiver.ts';
import { scaleProcess } from '../webhooks/tiers.ts';
import { connected, installation, lockWatcher, manage, onScale, openShop, register, start, untilLedger } from './services.ts';

/** The sales that a receiver got, in the order of their arrival. */
const arrived = ({ received }: Receiver): string[] => received.map(({ body }) => JSON.parse(body).data.reference);

/** Two stores. A sale at `STORE-1` matches so many endpoints that it is fanned out after its change; one at `STORE-2` is not. */
async function twoStores(gateway: Started) {
  const ordered = await receiver();
  const control = await receiver();
  const crowd = await receiver();
  await register(gateway, ordered.url, { ordered: true });
  await register(gateway, control.url, { perimeter: ['STORE-2'] });
  const ids: string[] = [];
  for (let count = 0; count < 55; count++) ids.push(await register(gateway, crowd.url, { perimeter: ['STORE-1'] }));
  const { token } = await openShop(gateway);
  await manage(gateway, 'POST', '/pos/stores', { id: 'STORE-2', name: 'Other', city: 'Abidjan' });
  const product = { product_id: 'P1', name: 'Rice', category: 'Food', price: 100, quantity: 1_000_000, low_threshold: 1 };
  await manage(gateway, 'POST', '/pos/stores/STORE-2/products', product);
  /** Sells at a store and returns the sale's reference. */
  const sell = async (through: Started, store_id: 'STORE-1' | 'STORE-2'): Promise<string> => {
    const items = [{ product_id: 'P1', quantity: 1, price: 100 }];
    const body = { store_id, items, payment_method: 'cash', customer_phone: '+22507010203', total: 100 };
    const reply = await through.call('POST', '/pos/api/v1/sales', { token, body });
    expect(reply.status).toBe(201);
    return reply.body.data.reference;
  };
  return { ordered, control, crowd: ids, sell };
}

onScale('an ordered endpoint over several processes', () => {
  test('gets events in the order of their acknowledgements, also if some are fanned out later', async () => {
    const shared = await installation();
    const [one, other] = await Promise.all([start(shared, 'api'), start(shared, 'all')]);
    const { ordered, sell } = await twoStores(one);
    const references: string[] = [];
    for (let sale = 0; sale < 30; sale++)
      references.push(await sell(sale % 3 === 0 ? one : other, sale % 2 === 0 ? 'STORE-1' : 'STORE-2'));
    await eventually(() => expect(new Set(arrived(ordered))).toEqual(new Set(references)));
    expect(arrived(ordered)).toEqual(references);
  });

  test('gets an event whose gateway was killed before its fan-out, and does not wait for that of the others', async () => {
    const shared = await installation();
    const [doomed, other] = await Promise.all([start(shared, 'api'), start(shared, 'all')]);
    const { ordered, control, crowd, sell } = await twoStores(other);
    // The fan-out waits for this lock when it comes to the crowd.
    const client = await connected(shared);
    await client.query(`
      create function passerelle.wait() returns trigger language plpgsql as
        $$ begin perform pg_advisory_xact_lock_shared(42); return new; end $$;
      create trigger wait before insert on passerelle.deliveries for each row
        when (new.endpoint_id = '${crowd[0]}') execute function passerelle.wait();
      select pg_advisory_lock(42)`);
    const references = [await sell(doomed, 'STORE-1')];
    doomed.child.kill('SIGKILL');
    await doomed.exited;
    for (let sale = 0; sale < 5; sale++) references.push(await sell(other, 'STORE-2'));
    await eventually(() => expect(arrived(control)).toHaveLength(5));
    await eventually(() => expect(arrived(ordered)).toEqual(references));
    await client.query('select pg_advisory_unlock(42)');
  });

  test('gets no old event from a worker that was suspended before it sent it', async () => {
    // Another worker takes over what the suspended one had taken after this time.
    const shared = await installation({ WEBHOOK_DEADLINE_MS: '5000' });
    const [api, ...workers] = await Promise.all([start(shared, 'api'), start(shared, 'worker'), start(shared, 'worker')]);
    const [suspended, other] = workers as [Started, Started];
    const ordered = await receiver();
    await register(api, ordered.url, { ordered: true });
    const shop = await openShop(api);
    for (const { child } of workers) child.kill('SIGSTOP');
    const references: string[] = [];
    const sell = async () => references.push((await shop.sell(api)).body.data.reference);
    for (let sale = 0; sale < 3; sale++) await sell();

    // The worker reads the event of its job to admit it, and waits for this lock.
    const client = await connected(shared);
    await client.query('begin; lock table passerelle.events in access exclusive mode');
    suspended.child.kill('SIGCONT');
    const waitingFor = await lockWatcher(shared);
    await eventually(async () => expect(await waitingFor('"events" where "id" (in|=)')).toBeGreaterThan(0));
    suspended.child.kill('SIGSTOP');
    await client.query('rollback');
    other.child.kill('SIGCONT');
    await untilLedger(api, { deliveries: { delivered: 3 } });
    expect(arrived(ordered)).toEqual(references);

    other.child.kill('SIGKILL');
    await other.exited;
    suspended.child.kill('SIGCONT');
    await sell();
    await eventually(() => expect(arrived(ordered)).toContain(references.at(-1)));
    expect(arrived(ordered)).toEqual(references);
  });

  test('gets events in the order of their commits, although one that began earlier committed later', async () => {
    const shared = await installation();
    const keys = new Keyring(randomBytes(32));
    const instance = async () => startHarness({ keys, ...(await scaleProcess(shared)) });
    const [one, other] = [await instance(), await instance()];
    const target = await receiver();
    const { id } = await one.endpoint({ url: target.url });
    await one.store.update('endpoints', { id }, { ordered: true, held_until: Date.UTC(2100, 0, 1) });
    const committed = Promise.withResolvers<void>();
    const emitted = Promise.withResolvers<void>();
    const early = one.change(async ({ emit }) => {
      emit(sold, { subject: null, data: { number: 2 } });
      emitted.resolve();
      await committed.promise;
    });
    await emitted.promise;
    await other.change(async ({ emit }) => emit(sold, { subject: null, data: { number: 1 } }));
    committed.resolve();
    await early;
    await one.store.update('endpoints', { id }, { held_until: null });
    const numbers = () => target.received.map(({ body }) => JSON.parse(body).data.number);
    await eventually(() => expect(numbers().length).toBe(2));
    expect(numbers()).toEqual([1, 2]);
  });
});
