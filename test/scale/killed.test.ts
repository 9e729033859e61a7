import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { patientReceiver, receiver } from '../webhooks/receiver.ts';
import {
  connected,
  installation,
  manage,
  onScale,
  openShop,
  patient,
  register,
  saleReferences,
  sellMany,
  start,
  untilLedger,
} from './services.ts';

onScale('a worker is killed', () => {
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
    await untilLedger(api, { unaccounted: 0, deliveries: { delivered: 100, pending: 0 } });
    // Only what was in flight is sent without a record of it.
    const deliveries: { attempts: number }[] = (await manage(api, 'GET', '/deliveries?limit=100')).body.data;
    const recorded = deliveries.reduce((sum, { attempts }) => sum + attempts, 0);
    const unrecorded = before + target.received.length - recorded;
    expect(unrecorded).toBeGreaterThan(0);
    expect(unrecorded).toBeLessThanOrEqual(100);
  });

  test('a worker is killed and its endpoint deleted during attempts: those of the other worker are recorded', async () => {
    const shared = await installation(patient);
    const [api, doomed] = await Promise.all([start(shared, 'api'), start(shared, 'worker')]);
    const { url, waiting, answerAll } = await patientReceiver();
    const endpointId = await register(api, url, { max_in_flight: 40 });
    const shop = await openShop(api);
    await sellMany(shop, [api], 20);
    await eventually(() => expect(waiting).toHaveLength(20));
    // It takes no more of them.
    doomed.child.kill('SIGSTOP');
    await start(shared, 'worker');
    await sellMany(shop, [api], 20);
    await eventually(() => expect(waiting).toHaveLength(40));
    doomed.child.kill('SIGKILL');
    expect((await manage(api, 'DELETE', `/endpoints/${endpointId}`)).status).toBe(200);
    answerAll();
    await untilLedger(api, { unaccounted: 0, deliveries: { delivered: 20, skipped: 20, pending: 0 } });
    expect((await (await connected(shared)).query('select 1 from passerelle.attempts')).rowCount).toBe(20);
  });
});
