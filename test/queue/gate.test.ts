import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ManualClock } from '../../gateway/base/clock.ts';
import { openLog } from '../../gateway/base/log.ts';
import { MemoryGate } from '../../gateway/queue/gate/memory.ts';
import { earlyMs } from '../../gateway/queue/gate/port.ts';
import { RedisGate } from '../../gateway/queue/gate/redis.ts';
import { newName, onScale, redisUrl } from '../scale/services.ts';
import { until } from '../webhooks/harness.ts';
import { gateConformance, leaseMs, leaver, shiftBack } from './gate-conformance.ts';

describe('memory', () => {
  gateConformance(async () => {
    const clock = new ManualClock(Date.UTC(2026, 0, 1));
    return { gate: new MemoryGate(clock, leaseMs, earlyMs), advance: (ms) => clock.advance(ms) };
  });
});

const log = openLog('silent');

onScale('Redis', () => {
  let redis: Redis;
  beforeAll(() => {
    redis = new Redis(redisUrl);
  });
  // Gates that hold leases still ask for the epoch. A command behind QUIT resets the connection, and QUIT has no reply then.
  afterAll(() => redis.disconnect());

  gateConformance(async () => {
    const prefix = newName();
    return { gate: new RedisGate({ redis, prefix, leaseMs, log }), advance: (ms) => shiftBack(redis, prefix, ms) };
  });

  test('two processes share one gate, and every key expires but the epoch', async () => {
    const prefix = newName();
    const [one, other] = [new RedisGate({ redis, prefix, leaseMs, log }), new RedisGate({ redis, prefix, leaseMs, log })];
    const entry = { endpointId: 'end_1', deliveryId: 'a', maxInFlight: 2, maxPerSecond: 500 };
    const leave = leaver(one);
    expect(await one.enter([entry])).toMatchObject([{ kind: 'admitted' }]);
    expect(await other.enter([entry])).toMatchObject([{ kind: 'running' }]);
    expect(await other.reserve([{ ...entry, deliveryId: 'b' }])).toMatchObject([{ kind: 'admitted' }]);
    const next = { ...entry, deliveryId: 'c', maxInFlight: 2 };
    expect(await one.enter([next])).toMatchObject([{ kind: 'full' }]);
    const expiring = (await redis.keys(`${prefix}:*`)).filter((key) => key !== `${prefix}:gate-epoch`);
    expect(expiring).toHaveLength(3);
    for (const key of expiring) expect(await redis.pttl(key)).toBeGreaterThan(0);
    await other.release([{ ...entry, deliveryId: 'b' }]);
    await leave('a');
    expect(await one.enter([next])).toMatchObject([{ kind: 'admitted' }]);
  });

  const strict = { endpointId: 'end_1', maxInFlight: 1, maxPerSecond: null, strict: true };
  const open = { endpointId: 'end_2', maxInFlight: 1, maxPerSecond: null };

  test('when Redis loses its data, strict entries wait until the processes have registered their leases again', async () => {
    const prefix = newName();
    const [one, other, late] = Array.from({ length: 3 }, () => new RedisGate({ redis, prefix, leaseMs, log })) as [
      RedisGate,
      RedisGate,
      RedisGate,
    ];
    const leave = leaver(one);
    await one.enter([{ ...strict, deliveryId: 'a' }]);
    await other.enter([{ ...open, deliveryId: 'b' }]);
    await redis.del(await redis.keys(`${prefix}:*`));
    expect(await other.enter([{ ...strict, deliveryId: 'c' }])).toMatchObject([{ kind: 'full' }]);
    expect(await late.enter([{ ...strict, deliveryId: 'c' }])).toMatchObject([{ kind: 'full' }]);
    expect(await late.enter([{ ...open, deliveryId: 'd' }])).toMatchObject([{ kind: 'full' }]);
    expect(await late.enter([{ ...open, endpointId: 'end_3', deliveryId: 'd' }])).toMatchObject([{ kind: 'admitted' }]);
    // The other process notices by itself, while it asks for nothing.
    await until(async () => expect(await late.inFlight(['end_1'])).toEqual([1]));
    await redis.del(`${prefix}:gate-closed`);
    expect(await other.enter([{ ...strict, deliveryId: 'c' }])).toMatchObject([{ kind: 'full' }]);
    await leave('a');
    expect(await other.enter([{ ...strict, deliveryId: 'c' }])).toMatchObject([{ kind: 'admitted' }]);
  });

  test('without Redis, strict entries wait, and others start once', async () => {
    const away = new Redis('redis://127.0.0.1:1', { enableOfflineQueue: false, retryStrategy: () => null });
    away.on('error', () => {});
    const gate = new RedisGate({ redis: away, prefix: newName(), leaseMs, log });
    const leave = leaver(gate);
    const entries = [
      { ...strict, deliveryId: 'a' },
      { ...strict, deliveryId: 'b', urgent: true },
      { ...open, deliveryId: 'c' },
      { ...open, deliveryId: 'd' },
    ];
    expect(await gate.enter(entries)).toMatchObject(['full', 'full', 'admitted', 'admitted'].map((kind) => ({ kind })));
    expect(await gate.reserve(entries)).toMatchObject(['full', 'full', 'running', 'running'].map((kind) => ({ kind })));
    await leave('c', 'd');
    await gate.release(entries);
    expect(await gate.reserve([{ ...open, deliveryId: 'c' }])).toMatchObject([{ kind: 'admitted' }]);
    expect(await gate.delay(entries)).toEqual([0, 0, 0, 0]);
  });
});
