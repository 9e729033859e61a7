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

test('a filter by an endpoint of nobody, or of another partner, is refused in the same words', async () => {
  const { account, store, make, at } = await openWorld();
  for (const id of ['STORE-A', 'STORE-B']) await store(id);
  const [aya, koffi] = [await account('Aya', ['STORE-A']), await account('Koffi', ['STORE-B'])];
  const [own, other] = [
    await make('/endpoints', { owner: aya.owner, service: 'pos', url: at('/own') }),
    await make('/endpoints', { owner: koffi.owner, service: 'pos', url: at('/other') }),
  ];
  for (const path of ['/deliveries', '/deliveries/count', '/deliveries/export']) {
    const ask = async (id: string) => {
      const { status, text } = await aya.call('GET', `${path}?endpoint_id=${id}${path.endsWith('export') ? '&format=csv' : ''}`);
      return { status, said: status === 200 ? '' : JSON.parse(text).error.message.replace(id, 'ID') };
    };
    expect((await ask(own.id)).status).toBe(200);
    const refused = { status: 400, said: 'There is no endpoint ID of yours. GET /profile/v1/endpoints lists all of them.' };
    expect([await ask('ep_nope'), await ask(other.id)]).toEqual([refused, refused]);
  }
});

test('a delivery names the one that it waits for, and whoever skipped it', async () => {
  const { gateway, account, store, emit, make, at } = await openWorld();
  for (const id of ['STORE-A', 'STORE-B']) await store(id);
  const aya = await account('Aya', ['STORE-A', 'STORE-B']);
  const order = { ordered: true, order_by: 'subject', on_dead_letter: 'block' };
  await make('/endpoints', { owner: aya.owner, service: 'pos', url: at('/refuse'), ...order });
  for (const id of ['STORE-A', 'STORE-B', 'STORE-A']) await emit.stock(id, `of ${id}`);
  const list = (query: string) => aya.data('GET', `/deliveries?${query}`);
  await until(async () => expect(await list('blocking=true')).toHaveLength(2));
  const [second, first] = await list('blocking=true');
  const behind = (await list('status=pending')).find(({ blocking }: { blocking: boolean }) => !blocking);
  const read = async (id: string) => [
    (await gateway.manage('GET', `/deliveries/${id}`)).body.data,
    await aya.data('GET', `/deliveries/${id}`),
  ];
  const { id, event_id, status } = first;
  for (const one of await read(behind.id))
    expect(one).toMatchObject({ waits_behind: { id, event_id, status, blocking: true }, skipped: null });
  for (const one of await read(id)) expect(one).toMatchObject({ waits_behind: null, skipped: null });

  // One that waits cannot be sent before, and names what goes first.
  for (const refused of [
    await aya.call('POST', `/deliveries/${behind.id}/resend`),
    await gateway.manage('POST', `/deliveries/${behind.id}/resend`),
  ])
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      `The delivery ${behind.id} must wait for its turn: ${id} goes first in the order of its endpoint and has failed. Resend or skip that one.`,
    ]);

  await aya.data('POST', `/deliveries/${id}/skip`);
  const again = await aya.call('POST', `/deliveries/${id}/skip`);
  expect([again.status, again.body.error.message]).toEqual([
    409,
    `${id} is already skipped, and blocks nothing. It can be resent.`,
  ]);
  await gateway.manage('POST', `/deliveries/${second.id}/skip`);
  const skippedBy = async (one: string) => (await read(one)).map(({ skipped }) => skipped);
  const when = expect.stringMatching(/Z$/);
  expect(await skippedBy(id)).toEqual([aya.owner, aya.owner].map((by) => ({ by, at: when })));
  expect(await skippedBy(second.id)).toEqual(['operator', 'operator'].map((by) => ({ by, at: when })));
  const [{ skipped, updated_at }] = await read(id);
  expect(skipped.at).toBe(updated_at);
  await aya.data('POST', `/deliveries/${id}/resend`);
  expect(await skippedBy(id)).toEqual([null, null]);
  await until(async () => expect(await aya.data('GET', `/deliveries/${id}`)).toMatchObject({ status: 'failed', skipped: null }));
});
