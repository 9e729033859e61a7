import { expect, test } from 'vitest';
import { until } from '../webhooks/harness.ts';
import { deliveriesOf, openWorld } from './webhook-world.ts';

const partNames = ['own', 'limit', 'hold', 'retry', 'receiver'];

test('a partner sees how late its own deliveries are, and whose fault it is', async () => {
  const { gateway, account, store, emit, at } = await openWorld();
  for (const id of ['STORE-A', 'STORE-B']) await store(id);
  const [aya, kofi] = [await account('Aya', ['STORE-A']), await account('Kofi', ['STORE-B'])];
  const { id } = await aya.data('POST', '/endpoints', { url: at('/aya'), events: ['inventory.low'] });
  await aya.data('POST', `/endpoints/${id}/verify`);
  for (const name of ['first', 'second']) await emit.stock('STORE-A', name);
  // With the test, which is nobody's delay.
  await deliveriesOf(aya, 'status=delivered', 3);

  await until(async () => expect(await aya.data('GET', '/delays')).toMatchObject({ arrived: 2, first_attempts: 2, in_time: 1 }));
  const { delay_ms, parts } = await aya.data('GET', '/delays');
  expect(delay_ms.p50).toBeLessThanOrEqual(delay_ms.p99);
  expect(parts.map(({ part }: { part: string }) => part)).toEqual(partNames);
  // Nothing was retried.
  expect(parts[3]).toEqual({ part: 'retry', delay_ms: { p50: 0, p99: 0 }, share: 0 });
  expect(parts.reduce((sum: number, { share }: { share: number }) => sum + share, 0)).toBeCloseTo(1);

  const [{ id: last }] = await aya.data('GET', '/deliveries?status=delivered');
  const { event, delay_parts, attempts_made } = await aya.data('GET', `/deliveries/${last}`);
  const whole = delay_parts.reduce((sum: number, { ms }: { ms: number }) => sum + ms, 0);
  expect(Date.parse(event.created_at) + whole).toBe(Date.parse(attempts_made[0].ended_at));
  expect(delay_parts.map(({ part }: { part: string }) => part)).toContain('own');

  expect(await kofi.data('GET', '/delays?period=day')).toEqual({
    arrived: 0,
    delay_ms: null,
    parts: partNames.map((part) => ({ part, delay_ms: null, share: null })),
    first_attempts: 0,
    in_time: null,
  });
  const overview = (await gateway.manage('GET', '/overview')).body.data;
  expect(overview.delays).toMatchObject({ arrived: 2, delay_ms, first_attempts: 2 });
});
