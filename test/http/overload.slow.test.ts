import { expect, test } from 'vitest';
import { mostAtOnce } from '../../gateway/http/call-queue.ts';
import { openSqlStore } from '../../gateway/store/sql/store.ts';
import { eventually } from '../eventually.ts';
import { buildTestApp, stillClock } from '../helper.ts';
import { openEmptyPglite } from '../pglite.ts';

/** A gateway on PGlite, whose database does nothing between `hold` and the call of what that returns. */
async function start() {
  const store = await openSqlStore(await openEmptyPglite());
  // What is known of callers does not grow old.
  const clock = stillClock();
  const gateway = await buildTestApp({ store, clock, settings: { MAX_CALL_WAIT_MS: '300' } });
  const hold = async () => {
    const { promise: held, resolve: taken } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const holding = store.transaction(async (tx) => {
      await tx.count('leases', {});
      taken();
      await released;
    });
    await held;
    return async () => {
      release();
      await holding;
    };
  };
  return { ...gateway, hold };
}

const extra = 7;

test('sales that wait too long are refused and not stored, and the others are stored', async () => {
  const gateway = await start();
  const token = await gateway.posToken();
  const [store_id] = gateway.demo.pos.stores;
  const inventory = await gateway.call('GET', `/pos/api/v1/inventory?store_id=${store_id}`, { token });
  const [{ product_id, price }] = inventory.body.data.items;
  const sale = {
    store_id,
    items: [{ product_id, quantity: 1, price }],
    payment_method: 'cash',
    customer_phone: '+22507010203',
    total: price,
  };
  const before = await gateway.store.count('sales', {});

  const release = await gateway.hold();
  const sold: Awaited<ReturnType<typeof gateway.call>>[] = [];
  const selling = Array.from({ length: mostAtOnce + extra }, async () => {
    sold.push(await gateway.call('POST', '/pos/api/v1/sales', { token, body: sale }));
  });
  await eventually(() => expect(sold).toHaveLength(extra));
  for (const { status, headers, body } of sold) {
    expect(status).toBe(503);
    expect(body).toMatchObject({ success: false, error: { code: 'overloaded' } });
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
  }
  // Not all of them are told to come back at the same time.
  expect(new Set(sold.map(({ headers }) => headers['retry-after'])).size).toBe(5);
  expect((await gateway.call('GET', '/healthz')).status).toBe(200);
  expect((await gateway.call('GET', '/metrics')).status).toBe(200);
  // Another API has room of its own.
  expect((await gateway.call('GET', '/cohesion/api/v1/me', { token: 'none' })).status).toBe(401);

  await release();
  await Promise.all(selling);
  expect(sold.filter(({ status }) => status === 201)).toHaveLength(mostAtOnce);
  expect(await gateway.store.count('sales', {})).toBe(before + mostAtOnce);
  expect((await gateway.call('POST', '/pos/api/v1/sales', { token, body: sale })).status).toBe(201);
  const recorded = await gateway.manage('GET', '/calls?error_code=overloaded');
  expect(recorded.body.data).toHaveLength(extra);
});

test("a refusal has the form of the API's document", async () => {
  const gateway = await start();
  const token = gateway.cohesionToken();
  const ask = () => gateway.call('GET', '/cohesion/api/v1/indicateurs', { token });
  expect((await ask()).status).toBe(200);
  const release = await gateway.hold();
  const asking = Array.from({ length: mostAtOnce + 1 }, ask);
  const { status, headers, body } = await Promise.race(asking);
  expect({ status, body }).toEqual({
    status: 503,
    body: { message: 'More calls arrive than the gateway can handle. Nothing was done. Try again in 1 s.' },
  });
  expect(headers['retry-after']).toBe('1');
  await release();
  expect((await Promise.all(asking)).filter((reply) => reply.status === 200)).toHaveLength(mostAtOnce);
});
