import { expect, test } from 'vitest';
import type { Started } from '../e2e/process.ts';
import { eventually } from '../eventually.ts';
import { receiver } from '../webhooks/receiver.ts';
import { installation, manage, onScale, openShop, register, saleReferences, shortDeadline, start } from './services.ts';

onScale('processes come and go', () => {
  test('a worker is killed during its attempts: another one completes them', async () => {
    const shared = await installation({ WEBHOOK_DEADLINE_MS: '5000' });
    const [api, doomed] = await Promise.all([start(shared, 'api'), start(shared, 'worker')]);
    // The first attempts hang. The hundredth request kills their worker as it arrives, so at least that one is in flight.
    let answering = false;
    const target = await receiver((response) => {
      if (answering) response.end('ok');
      else if (target.received.length >= 100) doomed.child.kill('SIGKILL');
    });
    // One sale makes 20 deliveries, so the queue carries them in groups.
    for (let endpoint = 0; endpoint < 20; endpoint++) await register(api, target.url);
    const shop = await openShop(api);
    const sold = await Promise.all(Array.from({ length: 5 }, () => shop.sell(api)));
    await doomed.exited;
    answering = true;
    const before = target.received.splice(0).length;

    await start(shared, 'worker');
    await eventually(() => expect(target.received.length).toBeGreaterThanOrEqual(100));
    await eventually(() => expect(saleReferences(target.received)).toEqual(new Set(sold.map(({ body }) => body.data.reference))));
    const ledger = async () => (await manage(api, 'GET', '/ledger')).body.data;
    await eventually(async () =>
      expect(await ledger()).toMatchObject({ unaccounted: 0, deliveries: { delivered: 100, pending: 0 } }),
    );
    // Only what was in flight is sent without a record of it.
    const deliveries: { attempts: number }[] = (await manage(api, 'GET', '/deliveries?limit=100')).body.data;
    const recorded = deliveries.reduce((sum, { attempts }) => sum + attempts, 0);
    const unrecorded = before + target.received.length - recorded;
    expect(unrecorded).toBeGreaterThan(0);
    expect(unrecorded).toBeLessThanOrEqual(100);
  });

  test('gateways and workers stop, die and start while sales are made: every acknowledged one is delivered', {
    timeout: 480_000,
  }, async () => {
    const shared = await installation(shortDeadline);
    const gateways: Started[] = await Promise.all([start(shared, 'api'), start(shared, 'all')]);
    const workers: Started[] = [await start(shared, 'worker')];
    const target = await receiver();
    const [first] = gateways as [Started];
    await register(first, target.url);
    const shop = await openShop(first);
    const sold: string[] = [];
    let stopped = false;
    const sell = async (at: number) => {
      for (let sale = at; !stopped; sale++) {
        const through = gateways[sale % gateways.length] as Started;
        // A broken connection acknowledges nothing: the sale may be stored or not.
        const reply = await shop.sell(through).catch(() => undefined);
        if (reply?.status === 201) sold.push(reply.body.data.reference);
      }
    };
    const selling = Promise.all([sell(0), sell(1), sell(0), sell(1)]);
    const more = async (count: number) => {
      const before = sold.length;
      await eventually(() => expect(sold.length).toBeGreaterThan(before + count));
    };
    const replace = async (list: Started[], signal: NodeJS.Signals, role: 'all' | 'api' | 'worker') => {
      const old = list.shift() as Started;
      old.child.kill(signal);
      const code = await old.exited;
      if (signal === 'SIGTERM') expect(code).toBe(0);
      list.push(await start(shared, role));
    };
    await more(50);
    await replace(gateways, 'SIGTERM', 'api');
    await more(50);
    await replace(gateways, 'SIGKILL', 'all');
    await replace(workers, 'SIGKILL', 'worker');
    await more(50);
    await replace(gateways, 'SIGTERM', 'api');
    await replace(workers, 'SIGTERM', 'worker');
    await more(20);
    stopped = true;
    await selling;

    const missing = () => {
      const delivered = saleReferences(target.received);
      return sold.filter((reference) => !delivered.has(reference));
    };
    await eventually(() => expect(missing()).toEqual([]));
    const through = gateways[0] as Started;
    await eventually(async () =>
      expect((await manage(through, 'GET', '/ledger')).body.data).toMatchObject({
        unaccounted: 0,
        awaiting_fan_out: 0,
        deliveries: { pending: 0, failed: 0 },
      }),
    );
  });
});
