import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { startRedis } from './private-services.ts';
import { installation, metricsOf, onScale, openShop, shortDeadline, start } from './services.ts';

onScale('Redis is away', () => {
  test('Redis hangs: calls still work, and do not wait for it each time', async () => {
    const redis = await startRedis();
    const api = await start(await installation({ REDIS_URL: redis.url }), 'api');
    const shop = await openShop(api, 'pro');
    redis.hang();
    for (let sale = 0; sale < 50; sale++) expect((await shop.sell(api)).status).toBe(201);
    const [, uncounted] = /^passerelle_limits_uncounted_total (\S+)$/m.exec(await metricsOf(api)) ?? [];
    expect(Number(uncounted)).toBeGreaterThanOrEqual(50);
    redis.resume();
    const counted = async () => (await shop.sell(api)).headers.get('ratelimit-limit');
    await eventually(async () => expect(await counted()).toBe('1000'));
  });

  test('Redis is killed: limited calls are served, and /readyz says what is away', async () => {
    const redis = await startRedis();
    const api = await start(await installation({ REDIS_URL: redis.url }), 'api');
    const shop = await openShop(api, 'pro');
    await redis.kill();
    expect((await shop.sell(api)).status).toBe(201);
    const ready = async () => {
      const reply = await fetch(`${api.greeting.url}/readyz`);
      return [reply.status, await reply.json()];
    };
    const away = `Redis is away: connect ECONNREFUSED 127.0.0.1:${new URL(redis.url).port}`;
    await eventually(async () => expect(await ready()).toEqual([200, { status: 'ready', degraded: { queue: away } }]));
  });

  test('SIGTERM while Redis is down stops every role gracefully', async () => {
    const redis = await startRedis();
    const shared = await installation({ REDIS_URL: redis.url, ...shortDeadline });
    const running = await Promise.all([start(shared, 'api'), start(shared, 'worker'), start(shared, 'all')]);
    await redis.kill();
    for (const { child } of running) child.kill('SIGTERM');
    expect(await Promise.all(running.map(({ exited }) => exited))).toEqual([0, 0, 0]);
  });
});
