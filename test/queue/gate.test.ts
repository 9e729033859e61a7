import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ManualClock } from '../../gateway/base/clock.ts';
import { openLog } from '../../gateway/base/log.ts';
import { MemoryGate } from '../../gateway/queue/gate/memory.ts';
import { RedisGate } from '../../gateway/queue/gate/redis.ts';
import { newName, onScale, redisUrl } from '../scale/services.ts';
import { gateConformance, leaseMs } from './gate-conformance.ts';

describe('memory', () => {
  gateConformance(async () => {
    const clock = new ManualClock(Date.UTC(2026, 0, 1));
    return { gate: new MemoryGate(clock, leaseMs), advance: (ms) => clock.advance(ms) };
  });
});

const log = openLog('silent');

onScale('Redis', () => {
  let redis: Redis;
  beforeAll(() => {
    redis = new Redis(redisUrl);
  });
  afterAll(() => redis.quit());

  gateConformance(async () => {
    const prefix = newName();
    return { gate: new RedisGate({ redis, prefix, leaseMs, log }), advance: (ms) => shiftBack(redis, prefix, ms) };
  });

  test('two processes share one gate, and every key expires', async () => {
    const prefix = newName();
    const [one, other] = [new RedisGate({ redis, prefix, leaseMs, log }), new RedisGate({ redis, prefix, leaseMs, log })];
    const entry = { endpointId: 'end_1', deliveryId: 'a', maxInFlight: 1, maxPerSecond: 5 };
    expect(await one.enter([entry])).toEqual([null]);
    expect(await other.enter([{ ...entry, deliveryId: 'b' }])).toEqual([expect.any(Number)]);
    await other.leave([entry]);
    expect(await one.enter([{ ...entry, deliveryId: 'b' }])).toEqual([null]);
    const keys = await redis.keys(`${prefix}:*`);
    expect(keys).toHaveLength(2);
    for (const key of keys) expect(await redis.pttl(key)).toBeGreaterThan(0);
  });

  test('without Redis it admits everything, and leaving does nothing', async () => {
    const away = new Redis('redis://127.0.0.1:1', { enableOfflineQueue: false, retryStrategy: () => null });
    away.on('error', () => {});
    const gate = new RedisGate({ redis: away, prefix: newName(), leaseMs, log });
    const entry = { endpointId: 'end_1', deliveryId: 'a', maxInFlight: 1, maxPerSecond: 1 };
    expect(await gate.enter([entry, { ...entry, deliveryId: 'b' }])).toEqual([null, null]);
    await gate.leave([entry]);
  });
});

/** Redis has its own clock, so advancing time means moving the stored times back. */
async function shiftBack(redis: Redis, prefix: string, ms: number): Promise<void> {
  for (const key of await redis.keys(`${prefix}:gate:*`)) {
    for (const member of await redis.zrange(key, '0', '-1')) await redis.zincrby(key, -ms, member);
    await redis.pexpire(key, Math.max(1, (await redis.pttl(key)) - ms));
  }
  for (const key of await redis.keys(`${prefix}:gate-next:*`)) {
    const [at, left] = [Number(await redis.get(key)), await redis.pttl(key)];
    if (left > ms) await redis.set(key, String(at - ms), 'PX', left - ms);
    else await redis.del(key);
  }
}
