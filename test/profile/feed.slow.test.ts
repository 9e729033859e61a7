import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { newId } from '../../gateway/base/ids.ts';
import { mostAtOnce } from '../../gateway/http/call-queue.ts';
import { removeOldEvents } from '../../gateway/webhooks/upkeep/remove-old.ts';
import { event } from '../store/rows.ts';
import { until } from '../webhooks/harness.ts';
import { openWorld, type Partner, type World } from './webhook-world.ts';

interface FeedReply {
  data: { id: string; type: string; subject: string | null; payload: { data: { name: string } } }[];
  next: string;
  more: boolean;
  held_back_seconds: number;
}

const feed = async (partner: Partner, query = ''): Promise<FeedReply> => {
  const reply = await partner.call('GET', `/events${query}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
};

const names = ({ data }: FeedReply) => data.map(({ payload }) => payload.data.name);

/** Reads page by page to the end. */
async function all(partner: Partner, query: string): Promise<string[]> {
  const found: string[] = [];
  for (let [cursor, more] = ['', true]; more; ) {
    const page = await feed(partner, `?${query}${cursor}`);
    found.push(...names(page));
    [cursor, more] = [`&after=${page.next}`, page.more];
  }
  return found;
}

async function twoStores(world: World) {
  for (const id of ['STORE-A', 'STORE-B']) await world.store(id);
  return { aya: await world.account('Aya', ['STORE-A']), all: await world.account('Koffi') };
}

const emitAll = async ({ emit }: World, ...sold: [store: string, name: string][]) => {
  for (const [store, name] of sold) await emit.stock(store, name);
};

test('a partner reads what it may see, once and in order, from where it stopped', async () => {
  const world = await openWorld();
  const { aya, all: koffi } = await twoStores(world);
  await emitAll(world, ['STORE-A', 'a1'], ['STORE-B', 'b1'], ['STORE-A', 'a2']);
  const first = await feed(aya);
  expect(first).toMatchObject({ more: false, held_back_seconds: 0 });
  expect(first.data[0]).toMatchObject({ type: 'inventory.low', subject: 'STORE-A', id: expect.stringMatching(/^evt_/) });
  expect(names(first)).toEqual(['a1', 'a2']);
  expect(await feed(aya, `?after=${first.next}`)).toMatchObject({ data: [], more: false });
  await emitAll(world, ['STORE-B', 'b2'], ['STORE-A', 'a3']);
  expect(names(await feed(aya, `?after=${first.next}`))).toEqual(['a3']);
  expect(await all(koffi, 'limit=2')).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
  expect(await all(koffi, 'limit=1&types=sale.completed,inventory.low')).toHaveLength(5);
  expect(await all(koffi, 'types=sale.completed')).toEqual([]);
  expect((await feed(koffi, '?after=latest')).data).toEqual([]);
});

test('a page compares a bounded number of events, so pages between events of others may be empty', async () => {
  const world = await openWorld();
  const { aya } = await twoStores(world);
  await world.gateway.store.append(
    'events',
    Array.from({ length: 900 }, () => event(newId('evt'), { subject: 'STORE-B' })),
  );
  await emitAll(world, ['STORE-A', 'a1']);
  const pages = [await feed(aya)];
  for (let page = pages[0]; page?.more; pages.push(page)) page = await feed(aya, `?after=${page.next}`);
  expect(pages.map(names)).toEqual([[], [], ['a1']]);
});

test('what somebody sends to try an endpoint is no event of others', async () => {
  const world = await openWorld();
  const { aya, all: koffi } = await twoStores(world);
  const { id } = await aya.data('POST', '/endpoints', { url: world.at('/aya'), events: ['inventory.low'] });
  await aya.data('POST', `/endpoints/${id}/verify`);
  expect((await feed(koffi)).data).toEqual([]);
  expect((await feed(aya)).data).toEqual([]);
});

test('a cursor or a type that is not known is refused with what helps', async () => {
  const world = await openWorld();
  const { aya } = await twoStores(world);
  await emitAll(world, ['STORE-A', 'a1']);
  const { next } = await feed(aya);
  const refused = async (query: string) => {
    const { status, body } = await aya.call('GET', `/events?${query}`);
    return [status, body.error.details[0]?.message ?? body.error.message];
  };
  const elsewhere = Buffer.from(Buffer.from(next, 'base64url').toString().replace(/^\d+/, '9')).toString('base64url');
  expect(await refused('after=yesterday')).toEqual([400, expect.stringContaining('"yesterday" is no cursor')]);
  expect(await refused(`after=${next.slice(0, -1)}`)).toEqual([400, expect.stringContaining('is no cursor')]);
  expect(await refused(`after=${elsewhere}`)).toEqual([400, expect.stringContaining('of another gateway')]);
  expect(await refused('types=inventory.low,sale.complete')).toEqual([
    400,
    expect.stringContaining('Did you mean sale.completed'),
  ]);
  expect(await refused('type=inventory.low')).toEqual([400, expect.stringContaining('the nearest is types')]);
});

test('a reader is told if retention removed what it has not read, and only then', async () => {
  const world = await openWorld();
  const { aya } = await twoStores(world);
  const { store, clock } = world.gateway;
  await emitAll(world, ['STORE-A', 'a1'], ['STORE-A', 'a2']);
  const [early, late] = [await feed(aya, '?limit=1'), await feed(aya)];
  await removeOldEvents(store, clock.now() + 1000);
  expect(await store.count('events')).toBe(0);
  const { status, body } = await aya.call('GET', `/events?after=${early.next}`);
  expect([status, body.error.code]).toEqual([409, 'events_removed']);
  // One who begins now, or has read all, has lost nothing.
  const begun = await feed(aya);
  await emitAll(world, ['STORE-A', 'a3']);
  for (const { next } of [begun, late]) expect(names(await feed(aya, `?after=${next}`))).toEqual(['a3']);
});

test('a call waits for the next event without a place among the calls', async () => {
  const world = await openWorld();
  const { aya, all: koffi } = await twoStores(world);
  const { next } = await feed(aya, '?after=latest');
  let questions = 0;
  const { store } = world.gateway;
  const list = store.list.bind(store);
  store.list = ((table: 'events', query: object) => {
    questions += table === 'events' ? 1 : 0;
    return list(table, query);
  }) as typeof list;
  const partners = [
    aya,
    aya,
    koffi,
    ...(await Promise.all(Array.from({ length: mostAtOnce }, (_, at) => world.account(`P${at}`)))),
  ];
  const waiting = partners.map((partner) => feed(partner, `?after=${next}&wait=30`));
  await until(() => expect(questions).toBeGreaterThanOrEqual(3 * partners.length));
  // Others are answered meanwhile, and those who wait do not ask the store each for itself.
  await emitAll(world, ['STORE-B', 'b1']);
  const [, , ...others] = await Promise.all([undefined, undefined, ...waiting.slice(2)]);
  for (const page of others) expect(names(page as FeedReply)).toEqual(['b1']);
  await emitAll(world, ['STORE-A', 'a1']);
  for (const page of await Promise.all(waiting.slice(0, 2))) expect(names(page)).toEqual(['a1']);
});

test('waits end with the gateway and with the client, and a partner has some at once', async () => {
  const world = await openWorld();
  const { aya } = await twoStores(world);
  const url = await world.gateway.app.listen({ port: 0, host: '127.0.0.1' });
  const headers = { authorization: `Bearer ${aya.token}` };
  const statuses: (number | undefined)[] = [];
  const open = () =>
    request(`${url}/profile/v1/events?wait=30`, { headers })
      .on('error', () => {})
      .on('response', ({ statusCode }) => statuses.push(statusCode))
      .end();
  const clients = Array.from({ length: 21 }, open);
  onTestFinished(() => void clients.map((client) => client.destroy()));
  await until(() => expect(statuses).toEqual([429]));
  for (const client of clients) client.destroy();
  await until(async () => expect((await aya.call('GET', '/events?wait=1')).status).toBe(200));
  const last = open();
  await until(async () => expect(last.socket?.bytesWritten).toBeGreaterThan(0));
  statuses.length = 0;
  await world.gateway.close();
  await until(() => expect(statuses).toEqual([200]));
});
