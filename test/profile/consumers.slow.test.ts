import { expect, test } from 'vitest';
import { newId } from '../../gateway/base/ids.ts';
import { removeOldEvents } from '../../gateway/webhooks/upkeep/remove-old.ts';
import { event } from '../store/rows.ts';
import { makeLink } from './harness.ts';
import { openWorld, type Partner, type World } from './webhook-world.ts';

async function furnished() {
  const world = await openWorld();
  for (const id of ['STORE-A', 'STORE-B']) await world.store(id);
  const aya = await world.account('Aya', ['STORE-A']);
  await aya.data('POST', '/consumers', { name: 'erp' });
  const tell = async (...names: string[]) => {
    for (const name of names) await world.emit.stock('STORE-A', name);
  };
  return { world, aya, tell };
}

async function read(partner: Partner, query = '') {
  const { status, body, text } = await partner.call('GET', `/events?consumer=erp${query}`);
  expect(status, text).toBe(200);
  const names = body.data.map(({ payload }: { payload: { data: { name: string } } }) => payload.data.name);
  return { names, next: body.next as string, more: body.more as boolean };
}

const acknowledge = (partner: Partner, cursor: string, more: object = {}) =>
  partner.data('POST', '/consumers/erp/acknowledge', { cursor, ...more });
const lagOf = async (partner: Partner) => (await partner.data('GET', '/consumers/erp')).lag;

/** Events of the other store, which are stored as they are. */
const foreign = ({ gateway }: World, count: number) =>
  gateway.store.append(
    'events',
    Array.from({ length: count }, () => event(newId('evt'), { subject: 'STORE-B' })),
  );

test('a consumer reads from what it has acknowledged, and its cursor goes back only if it is asked to', async () => {
  const { aya, tell } = await furnished();
  await tell('a1', 'a2', 'a3');
  const first = await read(aya, '&limit=1');
  // It crashed before it acknowledged.
  expect((await read(aya, '&limit=1')).names).toEqual(['a1']);
  expect(await acknowledge(aya, first.next)).toMatchObject({ cursor: first.next, acknowledged_at: expect.any(String) });
  const rest = await read(aya);
  expect(rest.names).toEqual(['a2', 'a3']);
  expect(await lagOf(aya)).toMatchObject({ events: 2, more: false, oldest_at: expect.any(String), events_removed: false });
  await acknowledge(aya, rest.next);
  expect(await lagOf(aya)).toEqual({ events: 0, more: false, oldest_at: null, events_removed: false });
  for (const late of [first.next, 'oldest']) expect(await acknowledge(aya, late)).toMatchObject({ cursor: rest.next });
  expect((await read(aya)).names).toEqual([]);
  await acknowledge(aya, first.next, { rewind: true });
  expect((await read(aya)).names).toEqual(['a2', 'a3']);
  await acknowledge(aya, 'latest');
  expect((await read(aya)).names).toEqual([]);
});

test('the ledger of a consumer balances: what it may see is acknowledged or not yet', async () => {
  const { world, aya, tell } = await furnished();
  const { id } = await aya.data('GET', '/consumers/erp');
  const ledger = async () => {
    const { data } = (await world.gateway.manage('GET', `/consumers/${id}/ledger`)).body;
    expect(await aya.data('GET', '/consumers/erp/ledger')).toEqual(data);
    return data;
  };
  expect(await ledger()).toEqual({ events: 0, acknowledged: 0, not_acknowledged: 0, unaccounted: 0 });
  await tell('a1', 'a2', 'a3');
  await foreign(world, 2);
  expect(await ledger()).toEqual({ events: 3, acknowledged: 0, not_acknowledged: 3, unaccounted: 0 });
  await acknowledge(aya, (await read(aya, '&limit=2')).next);
  expect(await ledger()).toEqual({ events: 3, acknowledged: 2, not_acknowledged: 1, unaccounted: 0 });
  await acknowledge(aya, 'latest');
  expect(await ledger()).toEqual({ events: 3, acknowledged: 3, not_acknowledged: 0, unaccounted: 0 });
  for (const path of ['/consumers/csm_0', '/consumers/csm_0/ledger']) {
    const unknown = await world.gateway.manage('GET', path);
    expect([unknown.status, unknown.body.error.message]).toEqual([404, expect.stringContaining('There is no consumer csm_0.')]);
  }
});

test('of acknowledgements at the same time, the greatest stays', async () => {
  const { aya, tell } = await furnished();
  await tell(...Array.from({ length: 12 }, (_, at) => `a${at}`));
  const cursors: string[] = [];
  for (let limit = 1; limit <= 12; limit++) cursors.push((await read(aya, `&limit=${limit}`)).next);
  const mixed = cursors.toSorted((one, other) => (one < other ? 1 : -1));
  await Promise.all(mixed.map((cursor) => acknowledge(aya, cursor)));
  expect(await aya.data('GET', '/consumers/erp')).toMatchObject({ cursor: cursors.at(-1), lag: { events: 0 } });
});

test('a cursor that no page can have had is refused, and so is what a consumer has itself', async () => {
  const { aya, tell } = await furnished();
  await tell('a1');
  const { next } = await read(aya);
  const place = Buffer.from(next, 'base64url').toString();
  const changed = (text: string) => Buffer.from(text).toString('base64url');
  const refused = async (method: 'GET' | 'POST', path: string, body?: object) => {
    const reply = await aya.call(method, path, body);
    return [reply.status, reply.body.error.details[0]?.message ?? reply.body.error.message];
  };
  const wrong: [string, string][] = [
    ['soon', 'is no cursor. Send "next" of the last reply as it is. Send "oldest"'],
    [changed(`${Number.parseInt(place, 10) + 1000}.`), 'after the newest event'],
    [changed(`${place}~${Number.parseInt(place, 10) + 1000}.`), 'after the newest event'],
    [changed(`${Number.parseInt(place, 10)}.evt_${'0'.repeat(32)}`), 'of another gateway'],
  ];
  for (const [cursor, message] of wrong)
    expect(await refused('POST', '/consumers/erp/acknowledge', { cursor })).toEqual([400, expect.stringContaining(message)]);
  const { details } = (await aya.call('POST', '/consumers/erp/acknowledge', { cursor: wrong[3]?.[0] })).body.error;
  expect(details).toEqual([{ field: 'cursor', rule: 'cursor', message: expect.stringMatching(/^(?!.*"after").*Send "oldest"/) }]);
  expect(await refused('GET', '/consumers/erp/lag')).toEqual([
    404,
    'There is no GET /profile/v1/consumers/erp/lag. See /docs for the operations.',
  ]);
  expect(await refused('GET', '/consumers/erp/acknowledge')).toEqual([404, expect.stringContaining('This path takes POST.')]);
  expect(await refused('GET', `/events?consumer=erp&after=${next}`)).toEqual([400, expect.stringContaining('leave out "after"')]);
  expect(await refused('GET', '/events?consumer=erp&types=sale.completed')).toEqual([400, expect.stringContaining('"types"')]);
  expect(await refused('GET', '/events?consumer=epr')).toEqual([404, expect.stringContaining('no consumer "epr"')]);
  expect((await aya.call('GET', '/events?consumer=epr')).text).toContain('"field":"consumer"');
  expect(await refused('POST', '/consumers', { name: 'erp' })).toEqual([409, expect.stringContaining('already')]);
  expect(await refused('POST', '/consumers', { name: 'a b' })).toEqual([400, expect.stringContaining('letters, digits')]);
  expect(await refused('POST', '/consumers', { name: 'x', types: ['sale.complete'] })).toEqual([
    400,
    expect.stringContaining('Did you mean sale.completed?'),
  ]);
});

test('pages without an event for the consumer need no acknowledgement, and do not undo a rewind', async () => {
  const { world, aya, tell } = await furnished();
  await tell('a1');
  await acknowledge(aya, (await read(aya)).next);
  await foreign(world, 900);
  await tell('a2');
  const pages = [];
  for (let page = await read(aya); ; page = await read(aya)) {
    pages.push(page);
    if (page.names.length > 0) break;
  }
  expect([pages.length, pages.at(-1)?.names]).toEqual([3, ['a2']]);
  await acknowledge(aya, pages.at(-1)?.next ?? '');
  const waiting = aya.call('GET', '/events?consumer=erp&wait=1');
  await acknowledge(aya, 'oldest', { rewind: true });
  await waiting;
  expect((await read(aya)).names).toEqual(['a1']);
});

test('a session for reading does not move a consumer', async () => {
  const { world, aya } = await furnished();
  await foreign(world, 500);
  const { cursor } = await aya.data('GET', '/consumers/erp');
  const link_secret = await makeLink(world.gateway, aya.owner, { readOnly: true });
  const viewer = await world.signedIn({ ...aya, credentials: { link_secret } });
  expect((await read(viewer)).more).toBe(true);
  expect((await aya.data('GET', '/consumers/erp')).cursor).toBe(cursor);
  expect((await viewer.call('POST', '/consumers/erp/acknowledge', { cursor: 'latest' })).status).toBe(403);
});

test('a consumer is told if retention removed what it has not read, and goes on when it says so', async () => {
  const { world, aya, tell } = await furnished();
  await tell('a1');
  await removeOldEvents(world.gateway.store, world.gateway.clock.now() + 1000);
  await tell('a2');
  expect(await lagOf(aya)).toMatchObject({ events: 1, events_removed: true });
  const { status, body } = await aya.call('GET', '/events?consumer=erp');
  expect([status, body.error.code, body.error.message]).toEqual([409, 'events_removed', expect.stringContaining('"rewind"')]);
  await acknowledge(aya, 'oldest', { rewind: true });
  expect((await read(aya)).names).toEqual(['a2']);
});

test('operators see the consumers of all, and partners their own, of which they have 20', async () => {
  const { world, aya, tell } = await furnished();
  const ben = await world.account('Ben', ['STORE-B']);
  await ben.data('POST', '/consumers', { name: 'erp', types: ['sale.completed'], from: 'latest' });
  await tell('a1');
  const { data } = (await world.gateway.manage('GET', '/consumers')).body;
  expect(data).toMatchObject([
    { name: 'erp', owner: { id: ben.owner, name: 'Ben' }, types: ['sale.completed'], lag: { events: 0 } },
    { owner: { id: aya.owner }, types: null, lag: { events: 1 } },
  ]);
  expect((await world.gateway.manage('GET', `/consumers?owner=${aya.owner}`)).body.data).toEqual([data[1]]);
  expect((await world.gateway.manage('GET', `/consumers/${data[1].id}`)).body.data).toEqual(data[1]);
  expect(await ben.data('GET', '/consumers')).toEqual([data[0]]);
  for (let at = 1; at < 20; at++) await ben.data('POST', '/consumers', { name: `c${at}` });
  expect((await ben.call('POST', '/consumers', { name: 'c20' })).body.error.code).toBe('too_many_consumers');
  expect(await ben.data('DELETE', '/consumers/erp')).toMatchObject({ name: 'erp' });
  expect((await ben.call('GET', '/consumers/erp')).status).toBe(404);
  expect(await aya.data('GET', '/consumers')).toHaveLength(1);
});
