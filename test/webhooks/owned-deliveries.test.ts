import { describe, expect, test } from 'vitest';
import { updateUser } from '../../gateway/api/cohesion/back-office/users.ts';
import { updateAccount } from '../../gateway/api/pos/back-office/accounts.ts';
import { Refusal } from '../../gateway/base/errors.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import {
  createEndpoint,
  type EndpointInput,
  type EndpointRules,
  maxOwned,
  updateEndpoint,
  verifyEndpoint,
} from '../../gateway/webhooks/endpoints/endpoints.ts';
import { readLedger } from '../../gateway/webhooks/operator/ledger.ts';
import { resendDelivery, sendTestEvent } from '../../gateway/webhooks/operator/manual.ts';
import { createRecovery, listItems, readRecovery } from '../../gateway/webhooks/operator/recoveries.ts';
import type { Change } from '../../gateway/webhooks/outbox/change.ts';
import { attemptMade, closed, rules, settled, sold, startHarness, startMs, until } from './harness.ts';
import { receiver } from './receiver.ts';

const hour = 3600;
const byOperator: EndpointRules = { ...rules, byOperator: true };

/** A gateway with two accounts, which use the stores s1 and s2, and two users, who see all structures. */
async function world(scheduleSeconds = [0, hour, hour]) {
  const harness = startHarness({ settings: { scheduleSeconds } });
  const { store, change, keys } = harness;
  const shop = { name: 'S', city: 'Abidjan', currency: 'XOF', created_at: 1, synchronized_at: null };
  await store.append(
    'stores',
    ['s1', 's2'].map((id) => ({ id, ...shop })),
  );
  const account = { plan: 'free' as const, active: true, created_at: 1 };
  await store.append('accounts', [
    { id: 'a', name: 'Adjamé', store_ids: ['s1'], ...account },
    { id: 'b', name: 'Bouaké', store_ids: ['s2'], ...account },
  ]);
  const user = { structure_ids: null, active: true, created_at: 1 };
  await store.insert('users', [
    { id: 1, name: 'Awa', email: 'a', role: 'admin', ...user },
    { id: 2, name: 'Léa', email: 'l', role: 'lecteur', ...user },
  ]);
  const usual = { service: 'pos' as const, description: '', events: null, perimeter: null, active: true };
  const create = (input: Partial<EndpointInput> & { url: string }, options = byOperator) =>
    change((one) => createEndpoint(one, { ...usual, owner: 'account:a', ...input }, { ...options, keys })).then(
      ({ endpoint }) => endpoint,
    );
  const endpoint = async (id: string) => (await store.get('endpoints', { id })) as Row<'endpoints'>;
  const refused = (work: (change: Change) => Promise<unknown>) =>
    change(work).then(
      () => 'not refused',
      (error: unknown) => (error instanceof Refusal ? error.message : Promise.reject(error)),
    );
  return { ...harness, create, endpoint, refused };
}

describe('a store that leaves the perimeter of an account', () => {
  /** An account with a delivery that has failed once, and whose store is taken away. */
  async function shrunk() {
    let status = 500;
    const to = await receiver((response) => response.writeHead(status).end());
    const one = await world();
    const { id } = await one.create({ url: to.url });
    await one.emit(sold, { subject: 's1' });
    await attemptMade(one);
    await until(async () => expect((await one.deliveries())[0]?.reason).toBe('status'));
    await one.change((change) => updateAccount(change, 'a', { store_ids: ['s2'] }));
    const works = () => {
      status = 200;
    };
    return { ...one, id, to, works };
  }

  test('a pending retry is skipped, and a resend is refused until the perimeter is wide again', async () => {
    const { clock, deliveries, emit, change, refused, to, works, store } = await shrunk();
    await clock.advance(2 * hour * 1000);
    const [skipped] = await until(async () => {
      const found = await deliveries({ status: 'skipped' });
      expect(found).toHaveLength(1);
      return found;
    });
    expect(skipped).toMatchObject({ reason: 'not_visible', next_attempt_at: null, attempts: 1 });
    expect(to.received).toHaveLength(1);
    const { id } = skipped as Row<'deliveries'>;
    expect(await refused((one) => resendDelivery(one, id))).toContain('account:a');
    await emit(sold, { subject: 's1' });
    expect(await deliveries()).toHaveLength(1);
    works();
    await change((one) => updateAccount(one, 'a', { store_ids: null }));
    await change((one) => resendDelivery(one, id));
    await settled({ deliveries }, 1, 'delivered');
    expect(to.received).toHaveLength(2);
    expect((await readLedger(store)).unaccounted).toBe(0);
  });

  test('a recovery refuses its delivery with the reason, and leaves it as it was', async () => {
    const { clock, change, deliveries, store, id } = await shrunk();
    const [before] = await deliveries();
    await clock.advance(1000);
    const recovery = await change((one) => createRecovery(one, { endpoint_id: id, statuses: ['pending'], pace: 10 }));
    await until(async () => {
      await clock.advance(5000);
      expect((await readRecovery(store, recovery.id)).status).toBe('done');
    });
    const { data } = await listItems(store, recovery.id, { limit: 10 });
    expect(data.map(({ item }) => item.result)).toEqual(['not_visible']);
    expect(await deliveries()).toEqual([before]);
  });
});

test('an endpoint that is narrowed by its owner still gets the deliveries that are pending, and no later ones', async () => {
  let status = 500;
  const to = await receiver((response) => response.writeHead(status).end());
  const { create, change, emit, deliveries, clock, store, ...one } = await world();
  await change((tx) => updateAccount(tx, 'a', { store_ids: ['s1', 's2'] }));
  const { id } = await create({ url: to.url });
  await emit(sold, { subject: 's1' });
  await attemptMade(one);
  await until(async () => expect((await deliveries())[0]?.reason).toBe('status'));
  await change((tx) => updateEndpoint(tx, { id, perimeter: ['s2'] }, rules));
  status = 200;
  await emit(sold, { subject: 's1' });
  await clock.advance(2 * hour * 1000);
  await settled({ deliveries }, 1, 'delivered');
  expect(await store.count('deliveries')).toBe(1);
});

describe('an inactive owner', () => {
  test('its endpoints receive nothing, the ledger says why, and exactly they work again with it', async () => {
    const to = await receiver((response) => response.writeHead(to.received.length > 1 ? 200 : 500).end());
    const { create, change, endpoint, emit, deliveries, clock, refused, store, ...one } = await world();
    const mine = { url: to.url, service: 'cohesion' as const, owner: 'user:1' as const };
    const working = await create(mine);
    const paused = await create({ ...mine, active: false });
    await emit(closed);
    await attemptMade(one);
    await until(async () => expect((await deliveries({ status: 'pending' }))[0]?.reason).toBe('status'));
    await change((tx) => updateUser(tx, { id: 1, active: false }));
    expect(await endpoint(working.id)).toMatchObject({ active: false, disabled_reason: 'owner_inactive' });
    expect(await endpoint(paused.id)).toMatchObject({ active: false, disabled_reason: 'operator' });
    for (const id of [working.id, paused.id])
      expect(await refused((tx) => updateEndpoint(tx, { id, active: true }, byOperator))).toContain('user:1, which is inactive');
    await emit(closed);
    await clock.advance(2 * hour * 1000);
    await until(async () =>
      expect((await readLedger(store)).skipped_because).toEqual({ owner_inactive: 2, endpoint_disabled: 2 }),
    );
    const [waiting] = await deliveries({ reason: 'owner_inactive' });
    expect(await refused((tx) => resendDelivery(tx, waiting?.id ?? ''))).toContain('user:1, which is inactive');
    expect(to.received).toHaveLength(1);

    await change((tx) => updateUser(tx, { id: 1, active: true }));
    expect(await endpoint(working.id)).toMatchObject({ active: true, disabled_reason: null, failing_since: null });
    expect(await endpoint(paused.id)).toMatchObject({ active: false, disabled_reason: 'operator' });
    await change((tx) => resendDelivery(tx, waiting?.id ?? ''));
    await settled({ deliveries }, 1, 'delivered');
    expect((await readLedger(store)).unaccounted).toBe(0);
  });
});

describe('an endpoint that its owner makes', () => {
  test('counts only once it is verified, and again not after a change of its URL', async () => {
    const to = await receiver();
    const { create, change, endpoint, emit, deliveries, store } = await world();
    const { id } = await create({ url: to.url }, rules);
    await emit(sold, { subject: 's1' });
    expect(await deliveries()).toEqual([]);
    const test = await change((one) => sendTestEvent(one, { endpointId: id, eventType: sold.type }, rules.catalogue));
    expect(test.reason).toBe('verification');
    await settled({ deliveries }, 1, 'delivered');
    await change((one) => verifyEndpoint(one, id, { url: to.url }));
    expect(await endpoint(id)).toMatchObject({ active: true, disabled_reason: null });
    await emit(sold, { subject: 's1' });
    await emit(sold, { subject: 's2' });
    await settled({ deliveries }, 2, 'delivered');
    await change((one) => updateEndpoint(one, { id, url: `${to.url}/new` }, rules));
    expect(await endpoint(id)).toMatchObject({ active: false, disabled_reason: 'url_changed' });
    await emit(sold, { subject: 's1' });
    await emit(sold, { subject: 's2' });
    expect(await settled({ deliveries }, 1, 'skipped')).toMatchObject([{ reason: 'endpoint_unverified' }]);
    expect(to.received).toHaveLength(2);
    expect((await readLedger(store)).unaccounted).toBe(0);
  });

  test('gets what it missed at its new URL from a recovery, once that is verified', async () => {
    const to = await receiver();
    const { create, change, emit, deliveries, refused, clock } = await world();
    const { id } = await create({ url: 'https://example.com/' });
    await change((one) => updateEndpoint(one, { id, url: to.url }, rules));
    // A second change of the URL does not forget that it was verified once.
    await change((one) => updateEndpoint(one, { id, url: `${to.url}/new` }, rules));
    await emit(sold, { subject: 's1' });
    const [skipped] = await settled({ deliveries }, 1, 'skipped');
    expect(await refused((one) => resendDelivery(one, skipped?.id ?? ''))).toContain('not verified');
    expect(await refused((one) => updateEndpoint(one, { id, active: true }, rules))).toContain('not verified');
    const tested = await change((one) => sendTestEvent(one, { endpointId: id, eventType: sold.type }, rules.catalogue));
    expect(tested.reason).toBe('verification');
    await settled({ deliveries }, 1, 'delivered');
    await change((one) => verifyEndpoint(one, id, { url: `${to.url}/new` }));
    await clock.advance(1000);
    await change((one) => createRecovery(one, { owner: 'account:a', statuses: ['skipped'], pace: 100 }));
    await until(async () => {
      await clock.advance(5000);
      expect(await deliveries({ status: 'delivered' })).toHaveLength(2);
    });
  });

  test('a delivery that waits for a retry is not sent to a URL that nobody has verified', async () => {
    const to = await receiver((response) => response.writeHead(500).end());
    const { create, change, emit, deliveries, clock, refused, ...one } = await world();
    const { id } = await create({ url: to.url });
    await emit(sold, { subject: 's1' });
    await attemptMade(one);
    await until(async () => expect((await deliveries())[0]?.reason).toBe('status'));
    const other = await receiver();
    await change((tx) => updateEndpoint(tx, { id, url: other.url }, rules));
    await clock.advance(2 * hour * 1000);
    const [skipped] = await settled({ deliveries }, 1, 'skipped');
    expect([skipped?.reason, other.received]).toEqual(['endpoint_unverified', []]);
    expect(await refused((tx) => resendDelivery(tx, skipped?.id ?? ''))).toContain('not verified');
  });

  test('is not verified for another URL than the tested one, nor while its owner is inactive', async () => {
    const { create, change, refused, endpoint } = await world();
    const { id } = await create({ url: 'https://example.com/one' }, rules);
    await change((one) => updateEndpoint(one, { id, url: 'https://example.com/two' }, rules));
    expect(await refused((one) => verifyEndpoint(one, id, { url: 'https://example.com/one' }))).toContain('changed');
    await change((one) => updateAccount(one, 'a', { active: false }));
    expect(await refused((one) => verifyEndpoint(one, id))).toContain('account:a, which is inactive');
    expect(await endpoint(id)).toMatchObject({ active: false, disabled_reason: 'unverified' });
  });
});

describe('what an owner may not have', () => {
  test.each([
    [{ owner: 'account:none' as const }, 'There is no account "none"'],
    [{ owner: 'user:99' as const, service: 'cohesion' as const }, 'There is no user "99"'],
    [{ owner: 'user:01' as const, service: 'cohesion' as const }, 'There is no user "01"'],
    [{ owner: 'user:1' as const }, 'user:1 owns endpoints of cohesion, not of pos'],
    [{ service: 'cohesion' as const }, 'account:a owns endpoints of pos, not of cohesion'],
    [{ perimeter: ['s1', '-'] }, '"-" is not an id'],
  ])('%j is refused', async (input, words) => {
    const { create, store } = await world();
    await expect(create({ url: 'https://example.com/', ...input })).rejects.toThrow(words);
    expect(await store.count('endpoints')).toBe(0);
  });

  test('a perimeter that does not exist, whether the owner may see some or all', async () => {
    const { create, change, refused, store } = await world();
    const place = { sigle: null, type: 'ong' as const, region: 'Poro', active: true, created_at: 1, region_search: 'poro' };
    await store.append('structures', [{ id: 7, nom: 'Mine', search: 'mine', ...place }]);
    const structures = await create({ url: 'https://example.com/', owner: 'user:1', service: 'cohesion' });
    const some = await create({ url: 'https://example.com/' });
    await change((one) => updateAccount(one, 'b', { store_ids: null }));
    const all = await create({ url: 'https://example.com/', owner: 'account:b' });
    const narrowed = (id: string, perimeter: string[]) => refused((one) => updateEndpoint(one, { id, perimeter }, rules));
    expect(await narrowed(all.id, ['s1', 'none'])).toBe('There is no store or structure "none" that account:b may see.');
    expect(await narrowed(all.id, ['s1', 's2'])).toBe('not refused');
    expect((await narrowed(some.id, ['none'])).replace('account:a', 'account:b')).toBe(await narrowed(all.id, ['none']));
    for (const id of ['8', '07', '7.0', 'seven', '99999999999'])
      expect(await narrowed(structures.id, [id])).toBe(`There is no store or structure "${id}" that user:1 may see.`);
    expect(await narrowed(structures.id, ['7'])).toBe('not refused');
    await expect(create({ url: 'https://example.com/', owner: 'account:b', perimeter: ['none'] })).rejects.toThrow(
      '"none" that account:b may see',
    );
    const { id } = await create({ url: 'https://example.com/', owner: 'operator' });
    expect(await narrowed(id, ['none'])).toBe('not refused');
  });

  test(`more than ${maxOwned} endpoints`, async () => {
    const { create, change, store } = await world();
    const { id } = await create({ url: 'https://example.com/' });
    for (let number = 1; number < maxOwned; number++) await create({ url: 'https://example.com/' });
    const message = expect.stringContaining(`account:a has ${maxOwned} endpoints`);
    const refusal = { code: 'too_many_endpoints', message };
    await expect(create({ url: 'https://example.com/' })).rejects.toMatchObject(refusal);
    await create({ url: 'https://example.com/', owner: 'account:b' });
    await change((one) => one.tx.update('endpoints', { id }, { deleted_at: startMs, active: false, disabled_reason: 'deleted' }));
    await create({ url: 'https://example.com/' });
    expect(await store.count('endpoints', { owner: 'account:a' })).toBe(maxOwned + 1);
  });
});
