import { expect, test } from 'vitest';
import { heldBackCountedTo, readHeldBack } from '../../gateway/webhooks/operator/held-back.ts';
import { onEveryStore } from '../every-store.ts';
import { openWorld } from '../profile/webhook-world.ts';
import { until } from './harness.ts';
import { storeDeliveries } from './rows.ts';
import { type Statement, watched } from './watched-store.ts';

onEveryStore('what blocked keys hold back', (empty) => {
  test('is counted by key, up to a bound, in two queries for all', async () => {
    const store = await empty();
    const of = { endpoint_id: 'ep_1', created_at: 1000, reason: null } as const;
    const behind = (key: string, count: number) =>
      storeDeliveries(store, count, { ...of, order_key: key, status: 'pending', attempts: 0, parked: true });
    const first = async (key: string) => (await storeDeliveries(store, 1, { ...of, order_key: key }))[0];
    const blocking = [await first('ep_1/a'), await first('ep_1/b'), await first('ep_1/c')];
    await behind('ep_1/a', 2);
    await behind('ep_1/c', heldBackCountedTo + 5);
    // One that was sent out of its turn, and ended.
    const [ended] = await storeDeliveries(store, 1, of);
    const [waiting] = await behind('ep_1/d', 1);
    const statements: Statement[] = [];
    const rows = watched(store, (statement) => statements.push(statement));
    const deliveries = [...blocking, ended, waiting].filter((one) => one !== undefined);
    const heldBackBy = await readHeldBack(rows, deliveries);
    expect(deliveries.map(heldBackBy)).toEqual([
      { since: null, waiting: 2, more: false },
      { since: null, waiting: 0, more: false },
      { since: null, waiting: heldBackCountedTo, more: true },
      null,
      null,
    ]);
    expect(statements).toHaveLength(2);
    await readHeldBack(
      rows,
      [ended, waiting].filter((one) => one !== undefined),
    );
    expect(statements).toHaveLength(2);
  });
});

test('operators and the partner see since when a delivery blocks its key, and how many wait behind it', async () => {
  const { gateway, account, store, emit, make, at } = await openWorld();
  for (const id of ['STORE-A', 'STORE-B', 'STORE-C']) await store(id);
  const aya = await account('Aya', ['STORE-A', 'STORE-B']);
  const order = { ordered: true, order_by: 'subject', on_dead_letter: 'block' };
  await make('/endpoints', { owner: aya.owner, service: 'pos', url: at('/refuse'), ...order });
  for (const id of ['STORE-A', 'STORE-B', 'STORE-A', 'STORE-C', 'STORE-A']) await emit.stock(id, `of ${id}`);
  const list = async () => aya.data('GET', '/deliveries?blocking=true');
  await until(async () => expect(await list()).toHaveLength(2));
  const rows = await list();
  expect(rows.map((one: { subject: string; holds_back: object }) => [one.subject, one.holds_back])).toEqual([
    ['STORE-B', { since: expect.any(String), waiting: 0, more: false }],
    ['STORE-A', { since: expect.any(String), waiting: 2, more: false }],
  ]);
  for (const { id, holds_back } of rows) {
    const { data } = (await gateway.manage('GET', `/deliveries/${id}`)).body;
    expect([data.holds_back, data.attempts_made[0].ended_at]).toEqual([holds_back, holds_back.since]);
  }
  const all = (await gateway.manage('GET', '/deliveries')).body.data;
  const ofOthers = all.filter(({ blocking }: { blocking: boolean }) => !blocking);
  expect(ofOthers.map((one: { holds_back: null }) => one.holds_back)).toEqual([null, null]);
});
