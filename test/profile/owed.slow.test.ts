import { expect, test } from 'vitest';
import { ManualClock } from '../../gateway/base/clock.ts';
import type { Store } from '../../gateway/store/port.ts';
import { onEveryStore } from '../every-store.ts';
import { startMs, until } from '../webhooks/harness.ts';
import { bodiesAt, deliveriesOf, openWorld, type Partner, verified } from './webhook-world.ts';

/** Two accounts with one store, which are owed the same events: each has an endpoint that is paused, and one whose tests succeed. */
async function owedWorld(store: Store) {
  const clock = new ManualClock(startMs);
  const world = await openWorld({ clock, store, settings: { WEBHOOK_RETRY_SECONDS: '0' } });
  const { account, emit, at, gateway } = world;
  await world.store('STORE-A');
  const [aya, ben] = [await account('Aya', ['STORE-A']), await account('Ben', ['STORE-A'])];
  for (const partner of [aya, ben]) {
    const { id } = await verified(partner, at(`/${partner.name}`));
    await verified(partner, at(`/${partner.name}-too`));
    await partner.data('PATCH', `/endpoints/${id}`, { active: false });
  }
  for (const marker of ['sack-1', 'sack-2', 'sack-3']) await emit.stock('STORE-A', marker);
  await gateway.settled();
  for (const partner of [aya, ben]) await deliveriesOf(partner, 'status=skipped', 3);
  return { ...world, clock, aya, ben };
}

/** How many deliveries a recovery would send, by the paths of the endpoints. */
async function counted(partner: Partner, filter: object = {}): Promise<Record<string, number>> {
  const all = { statuses: ['pending', 'failed', 'skipped'], dry_run: true, ...filter };
  const { matching, by_endpoint } = await partner.data('POST', '/recoveries', all);
  const endpoints: { id: string; url: string }[] = await partner.data('GET', '/endpoints');
  const pathOf = (id: string) => new URL(endpoints.find((one) => one.id === id)?.url ?? '').pathname;
  const counts = (by_endpoint as { endpoint_id: string; count: number }[]).map((one) => [pathOf(one.endpoint_id), one.count]);
  return { matching, ...Object.fromEntries(counts) };
}

onEveryStore('what an owner is owed', (emptyStore) => {
  test('is counted by each filter, listed in pages, and sent by a recovery, without anything of another owner', async () => {
    const { aya, ben, at, to, clock, gateway } = await owedWorld(await emptyStore());
    const [paused] = (await aya.data('GET', `/endpoints?q=${encodeURIComponent(at('/Aya'))}&state=disabled`)) as { id: string }[];
    const [ofBen] = (await ben.data('GET', '/endpoints?state=disabled')) as { id: string }[];
    expect(await counted(aya)).toEqual({ matching: 3, '/Aya': 3 });
    expect(await counted(aya, { q: 'sack-1' })).toEqual({ matching: 1, '/Aya': 1 });
    expect(await counted(aya, { reason: 'endpoint_disabled' })).toEqual({ matching: 3, '/Aya': 3 });
    expect(await counted(aya, { statuses: ['failed', 'pending'] })).toEqual({ matching: 0 });
    expect(await counted(aya, { endpoint_id: paused?.id, event_type: 'inventory.low' })).toEqual({ matching: 3, '/Aya': 3 });

    const skipped: { id: string; cause: { text: string } }[] = await deliveriesOf(aya, 'status=skipped', 3);
    // Its owner disabled nothing, and resumes it.
    const words = / was paused or disabled when the delivery was due, so it was skipped\.$/;
    expect(skipped[0]?.cause.text).toMatch(words);
    const reasons: { reason: string; advice: string }[] = await aya.data('GET', '/reasons');
    const disabled = reasons.find(({ reason }) => reason === 'endpoint_disabled');
    expect(disabled?.advice).toMatch(/^Resume the endpoint/);
    const listed = skipped.map(({ id }) => id);
    const first = (await aya.call('GET', '/deliveries?status=skipped&limit=2')).body;
    const second = (await aya.call('GET', `/deliveries?status=skipped&limit=2&cursor=${first.next}`)).body;
    expect([...first.data, ...second.data].map(({ id }: { id: string }) => id)).toEqual(listed);
    expect(second.next).toBeNull();
    // Three skipped, three sent, two tests.
    expect(await aya.data('GET', '/deliveries/count')).toMatchObject({ count: 8, more: false });
    expect(await aya.data('GET', '/deliveries/count?status=skipped&q=sack-2')).toMatchObject({ count: 1, more: false });

    await aya.data('PATCH', `/endpoints/${paused?.id}`, { active: true });
    await ben.data('PATCH', `/endpoints/${ofBen?.id}`, { active: true });
    await clock.advance(1000);
    const { id, total } = await aya.data('POST', '/recoveries', { statuses: ['pending', 'failed', 'skipped'], pace: 100 });
    expect(total).toBe(3);
    await until(async () => {
      await clock.advance(1000);
      expect(await aya.data('GET', `/recoveries/${id}`)).toMatchObject({ status: 'done', results: { delivered: 3 } });
    });
    await gateway.settled();
    const missed = (path: string) => bodiesAt(to, path).filter((body) => body.includes('sack-'));
    expect([missed('/Aya').length, missed('/Ben').length]).toEqual([3, 0]);
    expect(await counted(aya)).toEqual({ matching: 0 });
    expect(await counted(ben)).toEqual({ matching: 3, '/Ben': 3 });
    const ofRecovery = (await aya.data('GET', `/recoveries/${id}/items`)) as { delivery_id: string }[];
    expect(ofRecovery.map((one) => one.delivery_id).sort()).toEqual(listed.sort());
    expect((await ben.call('GET', `/recoveries/${id}/items`)).status).toBe(404);
  });
});
